/**
 * Properties of edges other than flags. Few edges have any, so they are in a sparse map keyed by (start, kind,
 * end).
 */
import { deserialize, serialize } from 'node:v8';
import { getOrMake } from '../memo.ts';
import { KIND_COUNT } from './attackGraph.ts';
import type { JsonObject } from './jsonValue.ts';
import { sharedBytes } from './largeArrays.ts';

/**
 * Merges the properties that several sources provide for one edge. The result does not depend on the order of
 * sources: keys are sorted, and if values conflict, the value with the greater JSON text wins.
 */
export function mergedProperties(some: JsonObject | undefined, more: JsonObject): JsonObject {
  if (some === undefined) return more;
  const united = new Map(Object.entries(some));
  for (const [key, value] of Object.entries(more)) {
    const known = united.get(key);
    if (known === undefined || JSON.stringify(known) < JSON.stringify(value)) united.set(key, value);
  }
  return Object.fromEntries([...united].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Properties of edges for another thread: serialized once, in shared memory. */
export type SharedEdgeProperties = Uint8Array;

type Entry = readonly [start: number, kind: number, end: number, properties: JsonObject];

export class EdgeProperties {
  /** Keyed by start and kind (48 bits in one number), then by end. */
  readonly #rows = new Map<number, Map<number, JsonObject>>();
  #size = 0;

  /** @returns a copy, for another thread */
  toShared(): SharedEdgeProperties {
    const entries: Entry[] = [];
    this.forEach((...entry) => {
      entries.push(entry);
    });
    return sharedBytes(serialize(entries));
  }

  /** @returns the properties that another thread shared */
  static ofShared(shared: SharedEdgeProperties): EdgeProperties {
    const properties = new EdgeProperties();
    for (const entry of deserialize(shared) as readonly Entry[]) properties.set(...entry);
    return properties;
  }

  /** Number of edges that have properties. */
  get size(): number {
    return this.#size;
  }

  /** Sets properties of an edge, key by key; the last value of a key wins. */
  set(start: number, kind: number, end: number, properties: JsonObject): void {
    const rowKey = start * KIND_COUNT + kind;
    const row = getOrMake(this.#rows, rowKey, () => new Map());
    const known = row.get(end);
    if (known === undefined) this.#size++;
    row.set(end, known === undefined ? properties : { ...known, ...properties });
  }

  /** Merges properties from another source into those of an edge; the order of sources does not matter. */
  merge(start: number, kind: number, end: number, properties: JsonObject): void {
    this.replace(start, kind, end, mergedProperties(this.get(start, kind, end), properties));
  }

  /** Replaces all properties of an edge, or removes them. */
  replace(start: number, kind: number, end: number, properties: JsonObject | undefined): void {
    const row = this.#rows.get(start * KIND_COUNT + kind);
    if (row?.delete(end) === true) {
      this.#size--;
      if (row.size === 0) this.#rows.delete(start * KIND_COUNT + kind);
    }
    if (properties !== undefined) this.set(start, kind, end, properties);
  }

  /** @returns the properties of an edge, or `undefined`. */
  get(start: number, kind: number, end: number): JsonObject | undefined {
    return this.#rows.get(start * KIND_COUNT + kind)?.get(end);
  }

  /** Calls `visit` for each edge that has properties, in insertion order of (start, kind), then end. */
  forEach(visit: (start: number, kind: number, end: number, properties: JsonObject) => void): void {
    for (const [rowKey, row] of this.#rows) {
      for (const [end, properties] of row) {
        visit(Math.floor(rowKey / KIND_COUNT), rowKey % KIND_COUNT, end, properties);
      }
    }
  }
}
