/** Maps store ids (the graph ids that answers show) to node numbers. */

import { getOrMake } from '../memo.ts';
import { type AttackGraph, NO_NODE } from './attackGraph.ts';
import { GraphBuildError } from './graphBuildError.ts';
import { findEdge, NO_EDGE } from './lookup.ts';

export class StoreIndex {
  readonly #storeIds: Uint32Array;
  /** Hash table of node numbers: open addressing with linear probing, at most half full. */
  readonly #slots: Uint32Array;
  readonly #mask: number;
  readonly #shift: number;

  /**
   * @param storeIds store id of each node
   * @throws GraphBuildError if two nodes share a store id, or one is `NO_NODE`
   */
  constructor(storeIds: Uint32Array) {
    const bits = Math.ceil(Math.log2(Math.max(storeIds.length, 8) * 2));
    this.#storeIds = storeIds;
    this.#slots = new Uint32Array(2 ** bits).fill(NO_NODE);
    this.#mask = this.#slots.length - 1;
    this.#shift = 32 - bits;
    for (let node = 0; node < storeIds.length; node++) {
      if (storeIds[node] === NO_NODE) throw new GraphBuildError(`store id ${NO_NODE} is reserved`);
      const slot = this.#slotOf(storeIds[node]);
      if (this.#slots[slot] !== NO_NODE)
        throw new GraphBuildError(`two nodes share the store id ${storeIds[node]}`);
      this.#slots[slot] = node;
    }
  }

  /** @returns the node with this store id, or `NO_NODE`. */
  nodeOf(storeId: number): number {
    return this.#slots[this.#slotOf(storeId)];
  }

  #slotOf(storeId: number): number {
    // Fibonacci hashing distributes the consecutive ids that a store assigns.
    let slot = Math.imul(storeId, 0x9e37_79b1) >>> this.#shift;
    while (this.#slots[slot] !== NO_NODE && this.#storeIds[this.#slots[slot]] !== storeId) {
      slot = (slot + 1) & this.#mask;
    }
    return slot;
  }
}

const indexes = new WeakMap<Uint32Array, StoreIndex>();

/**
 * The index of a graph is built on first use (about 40 ms and 16 MB at 1 M nodes) and lives as long as the graph's
 * columns.
 * @returns the node with this store id, or `NO_NODE`
 */
export function findNodeByStoreId(graph: AttackGraph, storeId: number): number {
  const index = getOrMake(indexes, graph.storeIds, () => new StoreIndex(graph.storeIds));
  return index.nodeOf(storeId);
}

/**
 * Like `findEdge`, but takes the store ids of the ends.
 * @returns the number of the edge, or `NO_EDGE`
 */
export function findEdgeByStoreIds(graph: AttackGraph, start: number, kind: number, end: number): number {
  const [from, to] = [findNodeByStoreId(graph, start), findNodeByStoreId(graph, end)];
  return from === NO_NODE || to === NO_NODE ? NO_EDGE : findEdge(graph, from, kind, to);
}
