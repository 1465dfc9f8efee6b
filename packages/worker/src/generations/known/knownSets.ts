/**
 * The edge sets of a load, by store ids, in columns. The edges of a replaced or deleted set stay as dead entries
 * until many are dead, so the cost of an update depends only on its changes.
 */
import { copyEdges, type EdgeChunk, edgeRange, type JsonObject, newEdgeChunk } from '@clew/graph';
import type { CopyRow } from '@clew/store';

/** The key of a set, as one number below 2^53. */
export type SetKey = number;

const OWNER_UNIT = 2 ** 22;

export function setKey(ownerId: number, aspect: number, sourceId: number): SetKey {
  return ownerId * OWNER_UNIT + aspect * 2 ** 15 + sourceId;
}

/** Properties of the edge at a place of its set. */
export interface PlacedProperties {
  readonly at: number;
  readonly properties: JsonObject;
}

/** Called for an edge, by store ids, that may have changed. */
export type VisitChanged = (startId: number, kind: number, endId: number) => void;

/** A set as a row of a query: its edges in the first four columns, its key in column `KEY` and the following ones. */
const KEY = 5;

export const keyOf = (row: CopyRow, from = KEY): SetKey =>
  setKey(row.int4(from), row.int2(from + 1), row.int2(from + 2));

/** Start of a dead edge: no node has it. */
export const DEAD = 0xffff_ffff;

/** Maximum share of dead edges. */
const MAX_DEAD = 1 / 4;

const NONE: readonly PlacedProperties[] = [];

export class KnownSets {
  /** NaN for a removed set. */
  #keys = new Float64Array(1 << 10);
  /** The start of each set in the columns, with one more entry at the end. */
  #offsets = new Uint32Array(1 << 10);
  /** Number of places, including those of removed sets. */
  #places = 0;
  #count = 0;
  #deadEdges = 0;
  #edges = newEdgeChunk(1 << 12);
  #properties = new Map<number, readonly PlacedProperties[]>();

  /** Number of sets. */
  get count(): number {
    return this.#count;
  }

  add(row: CopyRow, properties: readonly PlacedProperties[]): void {
    const count = row.arrayLength(0);
    const first = this.#begin(keyOf(row), count);
    row.int4Array(0, this.#edges.starts, first);
    row.int2Array(1, this.#edges.kinds, first);
    row.int4Array(2, this.#edges.ends, first);
    row.int2Array(3, this.#edges.flags, first);
    if (properties.length > 0) this.#properties.set(this.#places - 1, properties);
  }

  /** @returns the keys of all sets, ascending */
  sortedKeys(): Float64Array {
    return this.#keys
      .slice(0, this.#places)
      .filter((key) => !Number.isNaN(key))
      .sort();
  }

  /** Removes sets, replaces sets with the same keys, and adds new ones. @param changed each key once */
  update(gone: Iterable<SetKey>, changed: KnownSets, visit: VisitChanged): void {
    const placeOfChanged = new Map<SetKey, number>();
    for (let place = 0; place < changed.#places; place++) placeOfChanged.set(changed.#keys[place], place);
    const isNew = new Uint8Array(changed.#places).fill(1);
    for (const place of this.#placesOf(new Set([...gone, ...placeOfChanged.keys()]))) {
      const replacement = placeOfChanged.get(this.#keys[place]);
      if (replacement !== undefined) isNew[replacement] = 0;
      this.#visitDifference(place, changed, replacement, visit);
      this.#kill(place);
    }
    for (let place = 0; place < changed.#places; place++) {
      if (isNew[place] === 1)
        changed.#visitRange(changed.#offsets[place], changed.#offsets[place + 1], visit);
    }
    this.#append(changed, 0, changed.#places);
    if (this.#deadEdges > this.#offsets[this.#places] * MAX_DEAD) this.#compact();
  }

  /** All edges, by store ids; dead ones start at `DEAD`. A view: it must not be written to. */
  get edges(): EdgeChunk {
    return edgeRange(this.#edges, 0, this.#offsets[this.#places]);
  }

  /** @param visit receives the place of the edge in `edges` */
  forEachProperties(visit: (edge: number, properties: JsonObject) => void): void {
    for (const [set, placed] of this.#properties) {
      for (const { at, properties } of placed) visit(this.#offsets[set] + at, properties);
    }
  }

  /** @param edge its place in `edges` @returns its properties, if any */
  propertiesAt(edge: number): JsonObject | undefined {
    if (this.#properties.size === 0) return undefined;
    const place = this.#placeWith(edge);
    return this.#properties.get(place)?.find(({ at }) => at === edge - this.#offsets[place])?.properties;
  }

  /** Finds the places of these keys; keys without a set are skipped. */
  #placesOf(keys: ReadonlySet<SetKey>): number[] {
    // Only few owners change, so one bit per owner is checked before the set of keys.
    const owners = [...keys].map((key) => Math.floor(key / OWNER_UNIT));
    const isOwner = new Uint8Array(owners.reduce((most, owner) => Math.max(most, owner), 0) + 1);
    for (const owner of owners) isOwner[owner] = 1;
    const places: number[] = [];
    for (let place = 0; place < this.#places; place++) {
      const key = this.#keys[place];
      if (isOwner[Math.floor(key / OWNER_UNIT)] === 1 && keys.has(key)) places.push(place);
    }
    return places;
  }

  /** Compares the sets from both ends, and visits edges that the other set does not have at the same place. */
  #visitDifference(
    place: number,
    changed: KnownSets,
    replacement: number | undefined,
    visit: VisitChanged,
  ): void {
    let [first, end] = [this.#offsets[place], this.#offsets[place + 1]];
    if (replacement === undefined) {
      this.#visitRange(first, end, visit);
      return;
    }
    let [itsFirst, itsEnd] = [changed.#offsets[replacement], changed.#offsets[replacement + 1]];
    // Places of properties count from the first edge, so sets with properties are compared only from the front.
    const [own, its] = [this.#properties.get(place) ?? NONE, changed.#properties.get(replacement) ?? NONE];
    if (JSON.stringify(own) === JSON.stringify(its)) {
      while (first < end && itsFirst < itsEnd && isSame(this.#edges, first, changed.#edges, itsFirst)) {
        first++;
        itsFirst++;
      }
      if (own.length === 0)
        while (first < end && itsFirst < itsEnd && isSame(this.#edges, end - 1, changed.#edges, itsEnd - 1)) {
          end--;
          itsEnd--;
        }
    }
    this.#visitRange(first, end, visit);
    changed.#visitRange(itsFirst, itsEnd, visit);
  }

  #visitRange(first: number, end: number, visit: VisitChanged): void {
    const { starts, kinds, ends } = this.#edges;
    for (let edge = first; edge < end; edge++) visit(starts[edge], kinds[edge], ends[edge]);
  }

  #kill(place: number): void {
    const [first, end] = [this.#offsets[place], this.#offsets[place + 1]];
    this.#edges.starts.fill(DEAD, first, end);
    this.#keys[place] = Number.NaN;
    this.#properties.delete(place);
    this.#deadEdges += end - first;
    this.#count--;
  }

  #compact(): void {
    const kept = new KnownSets();
    kept.#reserve(this.#count, this.#offsets[this.#places] - this.#deadEdges);
    let runStart = 0;
    for (let place = 0; place <= this.#places; place++) {
      if (place < this.#places && !Number.isNaN(this.#keys[place])) continue;
      kept.#append(this, runStart, place);
      runStart = place + 1;
    }
    this.#become(kept);
  }

  /** Appends a run of the other's sets, all of which are alive. */
  #append(other: KnownSets, from: number, to: number): void {
    if (from >= to) return;
    const [first, end] = [other.#offsets[from], other.#offsets[to]];
    const at = this.#offsets[this.#places];
    this.#reserve(this.#places + to - from, at + end - first);
    copyEdges(edgeRange(other.#edges, first, end), this.#edges, at);
    for (let set = from; set < to; set++) {
      const properties = other.#properties.get(set);
      if (properties !== undefined) this.#properties.set(this.#places, properties);
      this.#keys[this.#places++] = other.#keys[set];
      this.#offsets[this.#places] = at + other.#offsets[set + 1] - first;
    }
    this.#count += to - from;
  }

  /** @returns the start of the edges of a new set */
  #begin(key: SetKey, edges: number): number {
    const first = this.#offsets[this.#places];
    this.#reserve(this.#places + 1, first + edges);
    this.#keys[this.#places++] = key;
    this.#offsets[this.#places] = first + edges;
    this.#count++;
    return first;
  }

  /** @returns the place of the set to which the edge belongs */
  #placeWith(edge: number): number {
    let low = 0;
    let high = this.#places - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#offsets[middle] <= edge) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #reserve(sets: number, edges: number): void {
    if (sets + 1 > this.#offsets.length) {
      const size = Math.max(sets + 1, this.#offsets.length * 2);
      this.#keys = grown(new Float64Array(size), this.#keys);
      this.#offsets = grown(new Uint32Array(size), this.#offsets);
    }
    if (edges <= this.#edges.starts.length) return;
    const larger = newEdgeChunk(Math.max(edges, Math.ceil(this.#edges.starts.length * 1.5)));
    copyEdges(this.#edges, larger, 0);
    this.#edges = larger;
  }

  #become(other: KnownSets): void {
    this.#keys = other.#keys;
    this.#offsets = other.#offsets;
    this.#places = other.#places;
    this.#count = other.#count;
    this.#deadEdges = other.#deadEdges;
    this.#edges = other.#edges;
    this.#properties = other.#properties;
  }
}

function isSame(a: EdgeChunk, at: number, b: EdgeChunk, its: number): boolean {
  return (
    a.starts[at] === b.starts[its] &&
    a.ends[at] === b.ends[its] &&
    a.kinds[at] === b.kinds[its] &&
    a.flags[at] === b.flags[its]
  );
}

/** @returns the keys in the first array that are missing in the second; both are ascending */
export function keysMissingIn(known: Float64Array, stored: Float64Array): Set<SetKey> {
  const missing = new Set<SetKey>();
  let at = 0;
  for (const key of known) {
    while (at < stored.length && stored[at] < key) at++;
    if (stored[at] !== key) missing.add(key);
  }
  return missing;
}

function grown<List extends Float64Array | Uint32Array>(larger: List, list: List): List {
  larger.set(list as never);
  return larger;
}
