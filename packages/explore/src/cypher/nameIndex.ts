/** Finds nodes by their complete name: sorted hashes, eight bytes per node, created once per generation. */
import { type AttackGraph, nameOf } from '@clew/graph';

const encoder = new TextEncoder();
const PRIME = 0x0100_0193;
const BASIS = 0x811c_9dc5;

export class NameIndex {
  readonly #graph: AttackGraph;
  /** Hash in the upper bits, node in the lower ones. */
  readonly #entries: BigUint64Array;

  constructor(graph: AttackGraph) {
    this.#graph = graph;
    const { bytes, offsets } = graph.names;
    this.#entries = new BigUint64Array(graph.nodeCount);
    for (let node = 0; node < graph.nodeCount; node++)
      this.#entries[node] = (BigInt(hashOf(bytes, offsets[node], offsets[node + 1])) << 32n) | BigInt(node);
    this.#entries.sort();
  }

  /** @returns nodes in ascending order */
  find(name: string): readonly number[] {
    if (name === '') return [];
    const utf8 = encoder.encode(name);
    const first = BigInt(hashOf(utf8, 0, utf8.length)) << 32n;
    const found: number[] = [];
    for (let at = this.#lowerBound(first); at < this.#entries.length; at++) {
      if (this.#entries[at] >> 32n !== first >> 32n) break;
      const node = Number(this.#entries[at] & 0xffff_ffffn);
      // Different names may have the same hash.
      if (nameOf(this.#graph, node) === name) found.push(node);
    }
    return found;
  }

  #lowerBound(wanted: bigint): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#entries[middle] < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** FNV-1a. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = BASIS;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at], PRIME);
  return hash >>> 0;
}
