/**
 * The nodes that reach the targets, each with one next step. After a change of a few edges, the new set is derived
 * from these steps without a full walk: if a step was removed, only nodes whose paths use it are checked.
 */
import { type AttackGraph, NO_NODE } from '../columns/attackGraph.ts';
import { NodeSet } from '../columns/nodeSet.ts';
import { type Cancel, throwIfCanceled } from './cancel.ts';
import type { EdgeFilter } from './edgeFilter.ts';

/** If more nodes than this, and more than one in eight, may be cut off, a full walk is as fast. */
const MANY_LOOSE = 1000;

/** A pair of nodes between which edges were added, removed, or changed in kind. */
export interface ChangedPair {
  readonly start: number;
  readonly end: number;
}

export class ReachTree {
  /** The targets, and all nodes that reach one. */
  readonly reached: NodeSet;
  readonly #filter: EdgeFilter;
  /**
   * Next node of each node on a path to a target: the node itself for a target, NO_NODE for nodes that reach no
   * target.
   */
  readonly #next: Uint32Array;

  /** @throws CanceledError */
  constructor(graph: AttackGraph, targets: Iterable<number>, filter: EdgeFilter, cancel?: Cancel) {
    this.#filter = filter;
    this.#next = new Uint32Array(graph.nodeCount).fill(NO_NODE);
    const { offsets, neighbors, kinds } = graph.in;
    const queue: number[] = [];
    for (const target of targets) {
      if (this.#next[target] === NO_NODE) queue.push(target);
      this.#next[target] = target;
    }
    for (let place = 0; place < queue.length; place++) {
      if (place % 4096 === 0) throwIfCanceled(cancel);
      const node = queue[place];
      for (let at = offsets[node]; at < offsets[node + 1]; at++) {
        const start = neighbors[at];
        if (this.#next[start] !== NO_NODE || filter.allows[kinds[at]] === 0) continue;
        this.#next[start] = node;
        queue.push(start);
      }
    }
    this.reached = NodeSet.of(graph.nodeCount, queue);
  }

  /**
   * @param graph has the same nodes, and the same edges except between these pairs @returns the targets, and all
   * nodes that reach one in `graph`; `undefined` if many nodes may be cut off @throws CanceledError
   */
  after(graph: AttackGraph, changed: Iterable<ChangedPair>, cancel?: Cancel): NodeSet | undefined {
    const pairs = [...changed];
    const loose = this.#loose(graph, pairs, cancel);
    if (loose === undefined) return undefined;
    const found = new Set<number>();
    const isReached = (node: number): boolean =>
      found.has(node) || (this.#next[node] !== NO_NODE && !loose.has(node));
    const pending = [...loose].filter((node) => this.#leadsTo(graph, node, isReached));
    for (const { start, end } of pairs)
      if (!isReached(start) && isReached(end) && this.#isStep(graph, start, end)) pending.push(start);
    for (const node of pending) found.add(node);
    const { offsets, neighbors, kinds } = graph.in;
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      throwIfCanceled(cancel);
      for (let at = offsets[node]; at < offsets[node + 1]; at++) {
        const start = neighbors[at];
        if (this.#filter.allows[kinds[at]] === 0 || isReached(start)) continue;
        found.add(start);
        pending.push(start);
      }
    }
    const lost = [...loose].filter((node) => !found.has(node));
    const own = NodeSet.of(graph.nodeCount, [...found]);
    return this.reached.andNot(NodeSet.of(graph.nodeCount, lost)).or(own);
  }

  /** @returns nodes whose path to a target uses a removed step */
  #loose(
    graph: AttackGraph,
    pairs: readonly ChangedPair[],
    cancel: Cancel | undefined,
  ): Set<number> | undefined {
    const loose = new Set<number>();
    for (const { start, end } of pairs)
      if (start !== end && this.#next[start] === end && !this.#isStep(graph, start, end)) loose.add(start);
    const { offsets, neighbors } = graph.in;
    const most = Math.max(MANY_LOOSE, graph.nodeCount / 8);
    for (const node of loose) {
      if (loose.size > most) return undefined;
      throwIfCanceled(cancel);
      // A node behind it whose step was also removed is already included.
      for (let at = offsets[node]; at < offsets[node + 1]; at++)
        if (this.#next[neighbors[at]] === node) loose.add(neighbors[at]);
    }
    return loose;
  }

  #isStep(graph: AttackGraph, start: number, end: number): boolean {
    return this.#leadsTo(graph, start, (node) => node === end);
  }

  #leadsTo({ out }: AttackGraph, node: number, isEnd: (node: number) => boolean): boolean {
    for (let at = out.offsets[node]; at < out.offsets[node + 1]; at++)
      if (this.#filter.allows[out.kinds[at]] === 1 && isEnd(out.neighbors[at])) return true;
    return false;
  }
}
