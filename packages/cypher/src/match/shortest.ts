/**
 * Shortest paths from a node to all that fit, in order of their length: one search in breadth, whatever the number of
 * ends. Of several shortest paths the first is taken, by the order of edges: the same data give the same path.
 */
import type { Row } from '../run/context.ts';
import { NodeValue } from '../values/values.ts';
import { PairSearch } from './pairSearch.ts';
import {
  forEachEdge,
  type Next,
  nodeAt,
  otherEnd,
  relationshipsOf,
  reversed,
  type ShortestOptions,
  type Step,
} from './steps.ts';

export function shortest(options: ShortestOptions): Step {
  if (options.isInto && !options.all) return between(options);
  // Made once: subqueries are linked for each row.
  let search: BreadthSearch | undefined;
  return (next) => (row) => {
    search ??= new BreadthSearch(options);
    return search.from(row, next);
  };
}

/** Both ends are known. */
function between(options: ShortestOptions): Step {
  const { from, to, min, slot, isBackward, innerTest } = options;
  let search: PairSearch | undefined;
  return (next) => (row) => {
    const [start, end] = [nodeAt(row, from), nodeAt(row, to)];
    if (start === undefined || end === undefined) return true;
    if (innerTest !== undefined && !(innerTest(start, row) && innerTest(end, row))) return true;
    // No path leads from a node to itself, but the empty one.
    search ??= new PairSearch(options);
    const edges = start !== end ? search.find(start, end, row) : min === 0 ? [] : undefined;
    if (edges === undefined) return true;
    if (slot !== undefined) row[slot] = relationshipsOf(edges, isBackward);
    return next(row);
  };
}

const NO_EDGE = -1;

class BreadthSearch {
  readonly #options: ShortestOptions;
  readonly #turnOf: Int32Array;
  readonly #depth: Uint16Array;
  /** Edge over which a node was found first. */
  readonly #parent: Int32Array;
  #turn = 0;

  constructor(options: ShortestOptions) {
    this.#options = options;
    const { nodeCount } = options.graph;
    this.#turnOf = new Int32Array(nodeCount);
    this.#depth = new Uint16Array(nodeCount);
    this.#parent = new Int32Array(nodeCount);
  }

  from(row: Row, next: Next): boolean {
    const { from, to, isInto, test, min, max, innerTest, edgeTest } = this.#options;
    const start = nodeAt(row, from);
    const target = isInto ? nodeAt(row, to) : undefined;
    if (start === undefined || (isInto && target === undefined)) return true;
    if (innerTest !== undefined && !innerTest(start, row)) return true;
    const isEnd = (node: number): boolean => (target === undefined ? test(node, row) : node === target);
    this.#turn++;
    this.#mark(start, 0, NO_EDGE);
    if (min === 0 && isEnd(start) && !this.#emit(row, next, start, start)) return false;
    // No path leads from a node to itself.
    if (target === start) return true;
    let layer = [start];
    for (let length = 1; layer.length > 0 && length <= max; length++) {
      const further: number[] = [];
      for (const node of layer) {
        forEachEdge(this.#options, node, true, (edge, other) => {
          if (this.#turnOf[other] === this.#turn) return true;
          if (edgeTest !== undefined && !edgeTest(edge, row)) return true;
          if (innerTest !== undefined && !innerTest(other, row)) return true;
          this.#mark(other, length, edge);
          further.push(other);
          return true;
        });
      }
      for (const node of further) {
        if (!isEnd(node)) continue;
        if (!this.#emit(row, next, start, node)) return false;
        if (target !== undefined) return true;
      }
      layer = further;
    }
    return true;
  }

  #mark(node: number, depth: number, edge: number): void {
    this.#turnOf[node] = this.#turn;
    this.#depth[node] = depth;
    this.#parent[node] = edge;
  }

  #emit(row: Row, next: Next, start: number, end: number): boolean {
    const { to, isInto } = this.#options;
    if (!isInto) row[to] = new NodeValue(end);
    if (this.#options.all) return this.#emitAll(row, next, start, end, []);
    const edges: number[] = [];
    for (let node = end; node !== start; ) {
      const edge = this.#parent[node];
      edges.push(edge);
      node = otherEnd(this.#options.graph, edge, node);
    }
    return this.#hand(row, next, edges);
  }

  /** Back from the end, over every edge that comes from a node one step nearer to the start. */
  #emitAll(row: Row, next: Next, start: number, node: number, edges: number[]): boolean {
    if (node === start) return this.#hand(row, next, [...edges]);
    const { way, edgeTest, innerTest } = this.#options;
    const back = reversed(way);
    return forEachEdge({ ...this.#options, way: back }, node, true, (edge, other) => {
      const isNearer = this.#turnOf[other] === this.#turn && this.#depth[other] === this.#depth[node] - 1;
      if (!isNearer || (edgeTest !== undefined && !edgeTest(edge, row))) return true;
      if (innerTest !== undefined && !innerTest(other, row)) return true;
      edges.push(edge);
      const goesOn = this.#emitAll(row, next, start, other, edges);
      edges.pop();
      return goesOn;
    });
  }

  /** @param edges from the end back to the start of the search */
  #hand(row: Row, next: Next, edges: readonly number[]): boolean {
    const { slot, isBackward } = this.#options;
    if (slot !== undefined) row[slot] = relationshipsOf(edges, !isBackward);
    return next(row);
  }
}
