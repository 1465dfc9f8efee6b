/**
 * Paths with the smallest sum of weights from one node: Dijkstra's algorithm, with a heap of at most one entry per node. Of several
 * such paths, one with the fewest relationships is found. Several paths between two nodes are found one after the other (Yen's
 * algorithm); none of them visits a node twice.
 */
import { CypherError } from '../cypherError.ts';
import type { PropertyGraph } from '../graph/propertyGraph.ts';
import type { Budget } from '../run/budget.ts';
import type { Row } from '../run/context.ts';
import { numberOf, typeName } from '../values/values.ts';
import { otherEnd } from './steps.ts';

export interface WeightedGraph {
  readonly graph: PropertyGraph;
  readonly budget: Budget;
  /** Calls `visit` with each edge that a path may follow from a node, and the node at its other end. */
  follow(node: number, visit: (edge: number, other: number) => boolean): boolean;
  /** @returns `undefined` for an edge that no path follows */
  weightOf(edge: number): number | undefined;
  readonly edgeTest: ((edge: number, row: Row) => boolean) | undefined;
  readonly innerTest: ((node: number, row: Row) => boolean) | undefined;
}

export interface WeightedPath {
  /** In order from the start; one more than edges. */
  readonly nodes: readonly number[];
  readonly edges: readonly number[];
  /** Sum of the weights up to each node; the last one is that of the path. */
  readonly weights: readonly number[];
}

interface Bans {
  readonly edges: ReadonlySet<number>;
  readonly nodes: ReadonlySet<number>;
}

const NO_BANS: Bans = { edges: new Set(), nodes: new Set() };

/**
 * @param at offset of the property in the query
 * @returns the weight of each edge by a property; edges without it have the other weight @throws CypherError for another value
 */
export function weightsBy(
  graph: PropertyGraph,
  property: string,
  at: number,
  otherwise?: number,
): (edge: number) => number | undefined {
  return (edge) => {
    const value = graph.edgeProperty(edge, property);
    if (value === null) return otherwise;
    const weight = numberOf(value);
    if (weight === undefined || !Number.isFinite(weight) || weight < 0)
      throw new CypherError(
        'value',
        `the weight ${property} of a relationship must be a number of 0 or more, not ${weight ?? typeName(value)}`,
        at,
      );
    return weight;
  };
}

/** Bytes per node for the columns of a search. */
const SEARCH_BYTES = 32;
const SETTLED = -1;

export class WeightedSearch {
  readonly #options: WeightedGraph;
  /** Columns are numbered by search, so they need not be cleared. */
  readonly #turnOf: Int32Array;
  readonly #costs: Float64Array;
  readonly #lengths: Int32Array;
  /** Edge that led to each node. */
  readonly #parents: Int32Array;
  /** Index of each open node in the heap, or `SETTLED`. */
  readonly #places: Int32Array;
  readonly #heap: Int32Array;
  #heapSize = 0;
  #turn = 0;

  constructor(options: WeightedGraph) {
    const { graph, budget } = options;
    budget.reserve(graph.nodeCount * SEARCH_BYTES);
    this.#options = options;
    this.#turnOf = new Int32Array(graph.nodeCount);
    this.#costs = new Float64Array(graph.nodeCount);
    this.#lengths = new Int32Array(graph.nodeCount);
    this.#parents = new Int32Array(graph.nodeCount);
    this.#places = new Int32Array(graph.nodeCount);
    this.#heap = new Int32Array(graph.nodeCount);
  }

  /**
   * Visits nodes in order of weight, then of the number of relationships, including the start.
   * @returns false if `settled` stopped
   */
  from(start: number, row: Row, settled: (node: number) => boolean, bans = NO_BANS): boolean {
    const { edgeTest, innerTest, weightOf } = this.#options;
    this.#turn++;
    this.#heapSize = 0;
    if (innerTest !== undefined && !innerTest(start, row)) return true;
    this.#open(start, 0, 0, -1);
    while (this.#heapSize > 0) {
      const node = this.#takeFirst();
      if (!settled(node)) return false;
      const [cost, length] = [this.#costs[node], this.#lengths[node] + 1];
      this.#options.follow(node, (edge, other) => {
        const isKnown = this.#turnOf[other] === this.#turn;
        if (isKnown && this.#places[other] === SETTLED) return true;
        if (bans.nodes.has(other) || bans.edges.has(edge)) return true;
        if (edgeTest !== undefined && !edgeTest(edge, row)) return true;
        if (innerTest !== undefined && !innerTest(other, row)) return true;
        const weight = weightOf(edge);
        if (weight === undefined) return true;
        const total = cost + weight;
        const isNearer =
          !isKnown ||
          total < this.#costs[other] ||
          (total === this.#costs[other] && length < this.#lengths[other]);
        if (isNearer) this.#open(other, total, length, edge);
        return true;
      });
    }
    return true;
  }

  /** Returns the memory of its columns to the budget, after its last use. */
  release(): void {
    const { graph, budget } = this.#options;
    budget.unreserve(graph.nodeCount * SEARCH_BYTES);
  }

  /** @returns whether the last search has a final path to the node */
  has(node: number): boolean {
    return this.#turnOf[node] === this.#turn && this.#places[node] === SETTLED;
  }

  /** @returns the path of the last search to a settled node */
  to(end: number): WeightedPath {
    const { graph, budget } = this.#options;
    const nodes = [end];
    const edges: number[] = [];
    const weights = [this.#costs[end]];
    for (let node = end; this.#parents[node] !== -1; ) {
      const edge = this.#parents[node];
      node = otherEnd(graph, edge, node);
      nodes.push(node);
      edges.push(edge);
      weights.push(this.#costs[node]);
    }
    budget.spend(nodes.length);
    return { nodes: nodes.reverse(), edges: edges.reverse(), weights: weights.reverse() };
  }

  /** @returns the path between two nodes; `undefined` without one */
  between(start: number, end: number, row: Row, bans = NO_BANS): WeightedPath | undefined {
    this.from(start, row, (node) => node !== end, bans);
    return this.has(end) ? this.to(end) : undefined;
  }

  #open(node: number, cost: number, length: number, parent: number): void {
    if (this.#turnOf[node] !== this.#turn) {
      this.#turnOf[node] = this.#turn;
      this.#places[node] = this.#heapSize++;
    }
    this.#costs[node] = cost;
    this.#lengths[node] = length;
    this.#parents[node] = parent;
    this.#rise(node, this.#places[node]);
  }

  #isBefore(a: number, b: number): boolean {
    if (this.#costs[a] !== this.#costs[b]) return this.#costs[a] < this.#costs[b];
    if (this.#lengths[a] !== this.#lengths[b]) return this.#lengths[a] < this.#lengths[b];
    return a < b;
  }

  #put(node: number, place: number): void {
    this.#heap[place] = node;
    this.#places[node] = place;
  }

  #rise(node: number, from: number): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >>> 1;
      if (!this.#isBefore(node, this.#heap[above])) break;
      this.#put(this.#heap[above], place);
      place = above;
    }
    this.#put(node, place);
  }

  #takeFirst(): number {
    const first = this.#heap[0];
    this.#places[first] = SETTLED;
    const last = this.#heap[--this.#heapSize];
    if (this.#heapSize === 0) return first;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= this.#heapSize) break;
      if (below + 1 < this.#heapSize && this.#isBefore(this.#heap[below + 1], this.#heap[below])) below++;
      if (!this.#isBefore(this.#heap[below], last)) break;
      this.#put(this.#heap[below], place);
      place = below;
    }
    this.#put(last, place);
    return first;
  }
}

/**
 * Finds further paths between the ends of the first one, each of which visits no node twice, in order of weight and number of
 * relationships.
 * @param take receives each path, the first one too; returns false to stop @returns false if it stopped
 */
export function easiestPaths(
  first: WeightedPath,
  count: number,
  search: WeightedSearch,
  { budget }: WeightedGraph,
  row: Row,
  take: (path: WeightedPath) => boolean,
): boolean {
  const found = [first];
  const candidates = new Map<string, WeightedPath>();
  const end = first.nodes[first.nodes.length - 1];
  if (!take(first)) return false;
  while (found.length < count) {
    const last = found[found.length - 1];
    for (let at = 0; at < last.edges.length; at++) {
      // Other paths with the same beginning take another edge here.
      const edges = new Set<number>();
      for (const { edges: taken } of found) {
        budget.spend(at + 1);
        if (taken.length > at && last.edges.every((edge, place) => place >= at || taken[place] === edge))
          edges.add(taken[at]);
      }
      const nodes = new Set(last.nodes.slice(0, at));
      const rest = search.between(last.nodes[at], end, row, { edges, nodes });
      if (rest === undefined) continue;
      const begun = last.weights[at];
      const path = {
        nodes: [...last.nodes.slice(0, at), ...rest.nodes],
        edges: [...last.edges.slice(0, at), ...rest.edges],
        weights: [...last.weights.slice(0, at), ...rest.weights.map((weight) => begun + weight)],
      };
      const key = path.edges.join();
      if (!candidates.has(key)) budget.hold(1);
      candidates.set(key, path);
    }
    const next = firstOf(candidates, budget);
    if (next === undefined) break;
    const [key, path] = next;
    candidates.delete(key);
    budget.release(1);
    found.push(path);
    if (!take(path)) return false;
  }
  budget.release(candidates.size);
  return true;
}

function firstOf(
  candidates: ReadonlyMap<string, WeightedPath>,
  budget: Budget,
): readonly [string, WeightedPath] | undefined {
  budget.spend(candidates.size);
  let first: readonly [string, WeightedPath] | undefined;
  for (const one of candidates) if (first === undefined || isBefore(one[1], first[1])) first = one;
  return first;
}

function isBefore(a: WeightedPath, b: WeightedPath): boolean {
  const [weightA, weightB] = [a.weights[a.weights.length - 1], b.weights[b.weights.length - 1]];
  if (weightA !== weightB) return weightA < weightB;
  if (a.edges.length !== b.edges.length) return a.edges.length < b.edges.length;
  const at = a.edges.findIndex((edge, place) => edge !== b.edges[place]);
  return at >= 0 && a.edges[at] < b.edges[at];
}
