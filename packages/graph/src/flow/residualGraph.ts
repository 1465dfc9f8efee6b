/**
 * The remaining capacity of a graph while some flow uses it. Only edges that carry flow are recorded, so a flow of twenty units through ten
 * million edges costs next to nothing. Edges are identified by their place in the incoming rows.
 */
import { type AttackGraph, KIND_COUNT } from '../columns/attackGraph.ts';
import type { FlowingStep, Residual } from './maximumFlow.ts';

/** Capacity of an edge, > 0; `Infinity` where it is unlimited. */
export type CapacityOf = (start: number, kind: number, end: number) => number;

export class ResidualGraph implements Residual {
  readonly #graph: AttackGraph;
  readonly #allows: Uint8Array;
  readonly #isBlocked: Uint32Array;
  readonly #capacityOf: CapacityOf;
  /** Flow by place, > 0. */
  readonly #flows = new Map<number, number>();
  /** Per node, 1 when an edge to it has carried flow. */
  readonly #isReached: Uint8Array;
  /** Per node, the places of the edges from it that carry flow, by end and kind. */
  readonly #places = new Map<number, Map<number, number>>();

  constructor(graph: AttackGraph, allows: Uint8Array, isBlocked: Uint32Array, capacityOf: CapacityOf) {
    this.#graph = graph;
    this.#allows = allows;
    this.#isBlocked = isBlocked;
    this.#capacityOf = capacityOf;
    this.#isReached = new Uint8Array(graph.nodeCount);
  }

  roomAt(place: number, end: number): number {
    const { neighbors, kinds } = this.#graph.in;
    const capacity = this.#capacity(neighbors[place], kinds[place], end);
    return this.#isReached[end] === 0 ? capacity : capacity - this.flowAt(place);
  }

  flowAt(place: number): number {
    return this.#flows.get(place) ?? 0;
  }

  /** @returns the same as `roomAt`, for the edge at place `edge` of the outgoing row of `start`. */
  roomOfOutgoing(edge: number, start: number): number {
    const { neighbors, kinds } = this.#graph.out;
    const end = neighbors[edge];
    const capacity = this.#capacity(start, kinds[edge], end);
    const place = this.#places.get(start)?.get(end * KIND_COUNT + kinds[edge]);
    return place === undefined ? capacity : capacity - this.flowAt(place);
  }

  flowingFrom(node: number): FlowingStep[] {
    const places = this.#places.get(node);
    if (places === undefined) return [];
    return Array.from(places, ([key, place]) => ({ place, end: Math.floor(key / KIND_COUNT) }));
  }

  /** @returns the nodes from which flow reaches `node` over one edge. */
  flowOrigins(node: number): number[] {
    if (this.#isReached[node] === 0) return [];
    const { offsets, neighbors } = this.#graph.in;
    const origins: number[] = [];
    for (let place = offsets[node]; place < offsets[node + 1]; place++) {
      if (this.#flows.has(place)) origins.push(neighbors[place]);
    }
    return origins;
  }

  addFlow(place: number, end: number, amount: number): void {
    const { neighbors, kinds } = this.#graph.in;
    const start = neighbors[place];
    const key = end * KIND_COUNT + kinds[place];
    const flow = this.flowAt(place) + amount;
    const places = this.#places.get(start) ?? new Map<number, number>();
    if (flow === 0) {
      this.#flows.delete(place);
      places.delete(key);
    } else {
      this.#flows.set(place, flow);
      places.set(key, place);
    }
    this.#places.set(start, places);
    this.#isReached[end] = 1;
  }

  #capacity(start: number, kind: number, end: number): number {
    if (this.#allows[kind] === 0 || start === end) return 0;
    if (this.#hasBlocked(start) || this.#hasBlocked(end)) return 0;
    return this.#capacityOf(start, kind, end);
  }

  #hasBlocked(node: number): boolean {
    return ((this.#isBlocked[node >>> 5] >>> (node & 31)) & 1) === 1;
  }
}
