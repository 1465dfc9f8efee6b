/** The edge sets as a load read them, by store ids, in columns. */
import { copyEdges, type EdgeChunk, edgeRange, type JsonObject, newEdgeChunk } from '@clew/graph';
import type { CopyRow } from '@clew/store';

/** What identifies a set, in one number below 2^53. */
export type SetKey = number;

export function setKey(ownerId: number, aspect: number, sourceId: number): SetKey {
  return (ownerId * 2 ** 7 + aspect) * 2 ** 15 + sourceId;
}

/** Properties of the edge at a place of its set. */
export interface PlacedProperties {
  readonly at: number;
  readonly properties: JsonObject;
}

/** A set as a row of a query: its edges in the first four columns, its key from column `KEY` on. */
const KEY = 5;

export const keyOf = (row: CopyRow, from = KEY): SetKey =>
  setKey(row.int4(from), row.int2(from + 1), row.int2(from + 2));

export class KnownSets {
  #keys = new Float64Array(1 << 10);
  /** One more than there are sets: where each begins in the columns. */
  #offsets = new Uint32Array(1 << 10);
  #count = 0;
  #edges = newEdgeChunk(1 << 12);
  #properties = new Map<number, readonly PlacedProperties[]>();

  /** Number of sets. */
  get count(): number {
    return this.#count;
  }

  clear(): void {
    this.#become(new KnownSets());
  }

  add(row: CopyRow, properties: readonly PlacedProperties[]): void {
    const count = row.arrayLength(0);
    const first = this.#begin(keyOf(row), count);
    row.int4Array(0, this.#edges.starts, first);
    row.int2Array(1, this.#edges.kinds, first);
    row.int4Array(2, this.#edges.ends, first);
    row.int2Array(3, this.#edges.flags, first);
    if (properties.length > 0) this.#properties.set(this.#count - 1, properties);
  }

  /** @returns the keys of all sets, ascending */
  sortedKeys(): Float64Array {
    return this.#keys.slice(0, this.#count).sort();
  }

  /** Leaves sets out. */
  remove(keys: ReadonlySet<SetKey>): void {
    if (keys.size > 0) this.#become(this.#without(keys));
  }

  /** Puts sets in place of those with their keys, and adds those that are new. */
  replace(sets: KnownSets): void {
    const changed = this.#without(new Set(sets.#keys.subarray(0, sets.#count)));
    changed.#append(sets, 0, sets.#count);
    this.#become(changed);
  }

  /** All edges, by store ids. A view: it must not be written to. */
  get edges(): EdgeChunk {
    return edgeRange(this.#edges, 0, this.#offsets[this.#count]);
  }

  /** @param visit gets the place of the edge in `edges` */
  forEachProperties(visit: (edge: number, properties: JsonObject) => void): void {
    for (const [set, placed] of this.#properties) {
      for (const { at, properties } of placed) visit(this.#offsets[set] + at, properties);
    }
  }

  #without(keys: ReadonlySet<SetKey>): KnownSets {
    const kept = new KnownSets();
    kept.#reserve(this.#count, this.#offsets[this.#count]);
    let runStart = 0;
    for (let set = 0; set < this.#count; set++) {
      if (!keys.has(this.#keys[set])) continue;
      kept.#append(this, runStart, set);
      runStart = set + 1;
    }
    kept.#append(this, runStart, this.#count);
    return kept;
  }

  /** Appends a run of the other's sets. */
  #append(other: KnownSets, from: number, to: number): void {
    if (from === to) return;
    const [first, end] = [other.#offsets[from], other.#offsets[to]];
    const at = this.#offsets[this.#count];
    this.#reserve(this.#count + to - from, at + end - first);
    copyEdges(edgeRange(other.#edges, first, end), this.#edges, at);
    for (let set = from; set < to; set++) {
      const properties = other.#properties.get(set);
      if (properties !== undefined) this.#properties.set(this.#count, properties);
      this.#keys[this.#count++] = other.#keys[set];
      this.#offsets[this.#count] = at + other.#offsets[set + 1] - first;
    }
  }

  /** @returns where the edges of a new set begin */
  #begin(key: SetKey, edges: number): number {
    const first = this.#offsets[this.#count];
    this.#reserve(this.#count + 1, first + edges);
    this.#keys[this.#count++] = key;
    this.#offsets[this.#count] = first + edges;
    return first;
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
    this.#count = other.#count;
    this.#edges = other.#edges;
    this.#properties = other.#properties;
  }
}

/** @returns the keys of the first that the second lacks; both are ascending */
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
