/**
 * Types of relationships that a search follows. A node may have a thousand edges of other types for each of these: once as
 * many were passed over as the graph has, those that are followed are listed for themselves.
 */
import type { Edges, PropertyGraph } from '../graph/propertyGraph.ts';
import type { Budget } from '../run/budget.ts';

/** Edges of some types, by the node they are at, in the order that they have in the graph. */
export interface ListedEdges {
  readonly offsets: Uint32Array;
  readonly neighbors: Uint32Array;
  /** Where each is among all edges of its direction. */
  readonly places: Uint32Array;
}

/** Small graphs are searched without this. */
const MIN_PASSED = 100_000;
/** Where more of all edges are followed, a list of them saves nothing. */
const MAX_SHARE = 1 / 2;

export class FollowedTypes {
  /** 1 for each type that is followed. */
  readonly allowed: Uint8Array;
  readonly #out: Direction;
  readonly #in: Direction;

  constructor(allowed: Uint8Array) {
    this.allowed = allowed;
    this.#out = new Direction(allowed);
    this.#in = new Direction(allowed);
  }

  /** @param looked edges at a node that is looked at now @returns nothing while looking at all is the cheaper way */
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
