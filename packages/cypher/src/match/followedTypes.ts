/**
 * The relationship types that a search follows. A node may have a thousand edges of other types for each followed
 * edge. Once the search has skipped as many edges as the graph has, the edges to follow are indexed separately.
 */
import type { Edges, PropertyGraph } from '../graph/propertyGraph.ts';
import type { Budget } from '../run/budget.ts';

/** Edges of some types, grouped by node, in graph order. */
export interface ListedEdges {
  readonly offsets: Uint32Array;
  readonly neighbors: Uint32Array;
  /** Index of each edge among all edges of its direction. */
  readonly places: Uint32Array;
}

/** Minimum number of skipped edges before an index is built, so small graphs never need one. */
const MIN_PASSED = 100_000;
/** If a greater share of all edges is followed, an index saves nothing. */
const MAX_SHARE = 1 / 2;

export class FollowedTypes {
  /** 1 for each followed type. */
  readonly allowed: Uint8Array;
  readonly #out: Direction;
  readonly #in: Direction;

  constructor(allowed: Uint8Array) {
    this.allowed = allowed;
    this.#out = new Direction(allowed);
    this.#in = new Direction(allowed);
  }

  /** @param looked number of edges of the current node @returns `undefined` while scanning all edges is cheaper */
  listed(way: 'out' | 'in', graph: PropertyGraph, looked: number, budget: Budget): ListedEdges | undefined {
    return (way === 'out' ? this.#out : this.#in).listed(graph[way], graph, looked, budget);
  }
}

class Direction {
  readonly #allowed: Uint8Array;
  #passed = 0;
  #isWorthIt = true;
  #listed: ListedEdges | undefined;

  constructor(allowed: Uint8Array) {
    this.#allowed = allowed;
  }

  listed(
    all: Edges,
    { nodeCount, edgeCount }: PropertyGraph,
    looked: number,
    budget: Budget,
  ): ListedEdges | undefined {
    if (this.#listed !== undefined || !this.#isWorthIt) return this.#listed;
    this.#passed += looked;
    if (this.#passed <= Math.max(MIN_PASSED, edgeCount)) return undefined;
    budget.spend(edgeCount);
    let count = 0;
    for (let at = 0; at < edgeCount; at++) count += this.#allowed[all.kinds[at]];
    this.#isWorthIt = count <= edgeCount * MAX_SHARE;
    if (!this.#isWorthIt) return undefined;
    budget.reserve((nodeCount + 1 + 2 * count) * Uint32Array.BYTES_PER_ELEMENT);
    this.#listed = listedEdges(all, this.#allowed, nodeCount, count);
    return this.#listed;
  }
}

function listedEdges(all: Edges, allowed: Uint8Array, nodeCount: number, count: number): ListedEdges {
  const offsets = new Uint32Array(nodeCount + 1);
  const neighbors = new Uint32Array(count);
  const places = new Uint32Array(count);
  let size = 0;
  for (let node = 0; node < nodeCount; node++) {
    for (let at = all.offsets[node]; at < all.offsets[node + 1]; at++) {
      if (allowed[all.kinds[at]] !== 1) continue;
      neighbors[size] = all.neighbors[at];
      places[size++] = at;
    }
    offsets[node + 1] = size;
  }
  return { offsets, neighbors, places };
}
