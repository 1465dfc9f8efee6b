/**
 * Shortest paths from a node to all matching ends, in order of length, with one breadth-first search for any
 * number of ends. Among several shortest paths, the first in edge order is taken, so results are deterministic.
 */
import type { Row } from '../run/context.ts';
import { NodeValue } from '../values/values.ts';
import { PairSearch } from './pairSearch.ts';
import { EdgeMarks, ShortestTrees, type Tree } from './shortestTrees.ts';
import {
  forEachEdge,
  forEachEdgeBetween,
  type Next,
  nodeAt,
  relationshipsOf,
  reversed,
  type ShortestOptions,
  type Step,
  UNREACHED,
} from './steps.ts';

/** Number of searches from individual starts before a backward search from the ends. */
const SINGLE_SEARCHES = 3;

export function shortest(options: ShortestOptions): Step {
  if (options.isInto) return between(options);
  // Created once, because subqueries are linked for each row.
  let search: BreadthSearch | undefined;
  let trees: ShortestTrees | undefined;
  let emitted: EdgeMarks | undefined;
  let leading: Uint8Array | undefined;
  let searches = 0;
  return (next) => (row) => {
    if (options.isUnion) emitted ??= new EdgeMarks(options);
    search ??= new BreadthSearch(options, emitted);
    const ends = options.isFixed && searches++ >= SINGLE_SEARCHES ? options.ends?.() : undefined;
    if (ends === undefined) return search.from(row, next);
    trees ??= new ShortestTrees(options, emitted);
    if (ends.length <= trees.maxEnds) return fromTrees(options, trees, ends, row, next);
    leading ??= leadingTo(options, ends);
    return search.from(row, next, leading);
  };
}

/**
 * @returns 1 for each node from which an end may be reached, ignoring tests of edges and nodes. Searches can skip
 * all other nodes.
 */
function leadingTo(options: ShortestOptions, ends: readonly number[]): Uint8Array {
  const { graph, way, budget } = options;
  budget.reserve(graph.nodeCount);
  const leading = new Uint8Array(graph.nodeCount);
  const open = [...ends];
  for (const end of ends) leading[end] = 1;
  for (let node = open.pop(); node !== undefined; node = open.pop())
    forEachEdge({ ...options, way: reversed(way) }, node, false, (_edge, other) => {
      if (leading[other] === 0) open.push(other);
      leading[other] = 1;
      return true;
    });
  return leading;
}

/** Searches for paths to each end, the nearest first. */
function fromTrees(
  options: ShortestOptions,
  trees: ShortestTrees,
  ends: readonly number[],
  row: Row,
  next: Next,
): boolean {
  const start = nodeAt(row, options.from);
  if (start === undefined) return true;
  const found: { readonly end: number; readonly tree: Tree }[] = [];
  for (const end of ends) {
    const tree = trees.to(end, row) as Tree;
    if (isWithin(options, tree.distances[start], start === end)) found.push({ end, tree });
  }
  found.sort((a, b) => a.tree.distances[start] - b.tree.distances[start] || a.end - b.end);
  for (const { end, tree } of found) {
    const goesOn = options.isUnion
      ? trees.newParts(start, tree, row, (edges, first, last) => {
          [row[options.from], row[options.to]] = [new NodeValue(first), new NodeValue(last)];
          return hand(options, row, next, edges);
        })
      : trees.paths(start, tree, row, (edges) => {
          row[options.to] = new NodeValue(end);
          return hand(options, row, next, edges);
        });
    if (options.isUnion) row[options.from] = new NodeValue(start);
    if (!goesOn) return false;
  }
  return true;
}

/** No path except the empty one leads from a node to itself. */
const isWithin = ({ min, max }: ShortestOptions, distance: number, isSame: boolean): boolean =>
  isSame ? min === 0 && distance === 0 : distance !== UNREACHED && distance <= max;

/** @param edges in order from the start of the search */
function hand(
  { slot, isBackward }: ShortestOptions,
  row: Row,
  next: Next,
  edges: readonly number[],
): boolean {
  if (slot !== undefined) row[slot] = relationshipsOf(edges, isBackward);
  return next(row);
}

/** Searches with both ends known. */
function between(options: ShortestOptions): Step {
  const { from, to, min, innerTest, all, isFixed } = options;
  let pairs: PairSearch | undefined;
  let breadth: BreadthSearch | undefined;
  let trees: ShortestTrees | undefined;
  /** Number of searches for each end. */
  const searches = new Map<number, number>();
  return (next) => (row) => {
    const [start, end] = [nodeAt(row, from), nodeAt(row, to)];
    if (start === undefined || end === undefined) return true;
    const count = (searches.get(end) ?? 0) + 1;
    searches.set(end, count);
    if (isFixed && count > SINGLE_SEARCHES) {
      trees ??= new ShortestTrees(options);
      const tree = trees.to(end, row);
      if (tree !== undefined)
        return (
          !isWithin(options, tree.distances[start], start === end) ||
          trees.paths(start, tree, row, (edges) => hand(options, row, next, edges))
        );
    }
    if (all) {
      breadth ??= new BreadthSearch(options);
      return breadth.from(row, next);
    }
    if (innerTest !== undefined && !(innerTest(start, row) && innerTest(end, row))) return true;
    // No path except the empty one leads from a node to itself.
    pairs ??= new PairSearch(options);
    const edges = start !== end ? pairs.find(start, end, row) : min === 0 ? [] : undefined;
    return edges === undefined || hand(options, row, next, edges);
  };
}

/** Bytes per node for the columns of the search. */
const SEARCH_BYTES = 10;
/** Memory overhead of a map entry in addition to its list, in values. */
const NEARER_VALUES = 8;

class BreadthSearch {
  readonly #options: ShortestOptions;
  readonly #turnOf: Int32Array;
  readonly #depth: Uint16Array;
  /** Node from which each node was first found. */
  readonly #parent: Int32Array;
  /** Number of the last search that emitted the path from each node to the start; used if only edges are needed. */
  readonly #walked: Int32Array | undefined;
  readonly #emitted: EdgeMarks | undefined;
  /** Nodes that are the only neighbor of a start, and whether paths to the start pass through them. */
  readonly #leadsThrough = new Map<number, boolean>();
  /**
   * Edges of each node from nodes one step nearer to the start, each followed by that node. Valid for the current
   * search.
   */
  readonly #nearer = new Map<number, readonly number[]>();
  /** Bytes that these lists take. */
  #nearerBytes = 0;
  #turn = 0;

  constructor(options: ShortestOptions, emitted?: EdgeMarks) {
    this.#options = options;
    const { nodeCount } = options.graph;
    options.budget.reserve(nodeCount * SEARCH_BYTES);
    this.#emitted = emitted;
    if (emitted !== undefined) {
      options.budget.reserve(nodeCount * Int32Array.BYTES_PER_ELEMENT);
      this.#walked = new Int32Array(nodeCount);
    }
    this.#turnOf = new Int32Array(nodeCount);
    this.#depth = new Uint16Array(nodeCount);
    this.#parent = new Int32Array(nodeCount);
  }

  /** @param leading has 1 for each node from which an end may be reached; absent if unknown */
  from(row: Row, next: Next, leading?: Uint8Array): boolean {
    const { from, to, isInto, test, min, max, innerTest, edgeTest } = this.#options;
    const start = nodeAt(row, from);
    const target = isInto ? nodeAt(row, to) : undefined;
    if (start === undefined || (isInto && target === undefined)) return true;
    if (innerTest !== undefined && !innerTest(start, row)) return true;
    const isEnd = (node: number): boolean => (target === undefined ? test(node, row) : node === target);
    const sole = this.#soleNeighbor(start, row);
    const isKnown = sole === undefined ? undefined : this.#leadsThrough.get(sole);
    // Paths from here pass through its only neighbor, and were already emitted for another node with the same
    // only neighbor.
    if (sole !== undefined && isKnown !== undefined)
      return !isKnown || this.#emitStep(row, next, start, sole);
    if (sole !== undefined) this.#leadsThrough.set(sole, false);
    this.#turn++;
    this.#forget();
    this.#mark(start, 0, start);
    if (min === 0 && isEnd(start) && !this.#emit(row, next, start, start)) return false;
    // No path leads from a node to itself.
    if (target === start) return true;
    let layer = [start];
    for (let length = 1; layer.length > 0 && length <= max; length++) {
      const further: number[] = [];
      for (const node of layer) {
        forEachEdge(this.#options, node, edgeTest !== undefined, (edge, other) => {
          if (this.#turnOf[other] === this.#turn) return true;
          if (leading !== undefined && leading[other] === 0) return true;
          if (edgeTest !== undefined && !edgeTest(edge, row)) return true;
          if (innerTest !== undefined && !innerTest(other, row)) return true;
          this.#mark(other, length, node);
          further.push(other);
          return true;
        });
      }
      for (const node of further) {
        if (!isEnd(node)) continue;
        if (sole !== undefined) this.#leadsThrough.set(sole, true);
        if (!this.#emit(row, next, start, node)) return false;
        if (target !== undefined) return true;
      }
      layer = further;
    }
    return true;
  }

  #forget(): void {
    this.#nearer.clear();
    this.#options.budget.unreserve(this.#nearerBytes);
    this.#nearerBytes = 0;
  }

  #mark(node: number, depth: number, parent: number): void {
    this.#turnOf[node] = this.#turn;
    this.#depth[node] = depth;
    this.#parent[node] = parent;
  }

  /** The first edge from its parent to a node. */
  #edgeTo(node: number, row: Row): number {
    const { edgeTest } = this.#options;
    let first = -1;
    forEachEdgeBetween(this.#options, this.#parent[node], node, (edge) => {
      if (edgeTest !== undefined && !edgeTest(edge, row)) return true;
      first = edge;
      return false;
    });
    return first;
  }

  #emit(row: Row, next: Next, start: number, end: number): boolean {
    const { to, isInto } = this.#options;
    if (this.#walked !== undefined && start !== end)
      return this.#emitNew(row, next, start, end, this.#walked);
    if (!isInto) row[to] = new NodeValue(end);
    if (this.#options.all) return this.#emitAll(row, next, start, end, []);
    const edges: number[] = [];
    for (let node = end; node !== start; node = this.#parent[node]) edges.push(this.#edgeTo(node, row));
    return this.#hand(row, next, edges);
  }

  /** @returns the only neighbor of a start that is not an end itself, if only edges are needed */
  #soleNeighbor(start: number, row: Row): number | undefined {
    const { isUnion, edgeTest, innerTest, max, min, test } = this.#options;
    const hasRules = edgeTest !== undefined || innerTest !== undefined || max !== Number.POSITIVE_INFINITY;
    if (!isUnion || hasRules || min === 0 || test(start, row)) return undefined;
    let sole: number | undefined;
    const isAlone = forEachEdge(this.#options, start, false, (_edge, other) => {
      const isSame = sole === undefined || sole === other;
      sole = other;
      return isSame && other !== start;
    });
    return isAlone ? sole : undefined;
  }

  /** Emits the edge between a start and its neighbor, if it is new. */
  #emitStep(row: Row, next: Next, start: number, sole: number): boolean {
    this.#parent[sole] = start;
    const edge = this.#edgeTo(sole, row);
    if (!(this.#emitted as EdgeMarks).add(edge)) return true;
    row[this.#options.to] = new NodeValue(sole);
    return this.#hand(row, next, [edge]);
  }

  /** Emits the runs of edges of the path that no earlier path contained. */
  #emitNew(row: Row, next: Next, start: number, end: number, walked: Int32Array): boolean {
    const { from, to, budget } = this.#options;
    const emitted = this.#emitted as EdgeMarks;
    let edges: number[] = [];
    let far = end;
    const tell = (near: number): boolean => {
      if (edges.length === 0) return true;
      [row[from], row[to]] = [new NodeValue(near), new NodeValue(far)];
      const goesOn = this.#hand(row, next, edges);
      edges = [];
      row[from] = new NodeValue(start);
      return goesOn;
    };
    let node = end;
    while (node !== start && walked[node] !== this.#turn) {
      budget.spend(1);
      walked[node] = this.#turn;
      const edge = this.#edgeTo(node, row);
      const isNew = emitted.add(edge);
      if (!isNew && !tell(node)) return false;
      if (isNew) edges.push(edge);
      node = this.#parent[node];
      if (!isNew) far = node;
    }
    return tell(node);
  }

  /** Walks back from the end, over every edge from a node one step nearer to the start. */
  #emitAll(row: Row, next: Next, start: number, node: number, edges: number[]): boolean {
    if (node === start) return this.#hand(row, next, [...edges]);
    const nearer = this.#nearerTo(node, row);
    for (let at = 0; at < nearer.length; at += 2) {
      edges.push(nearer[at]);
      const goesOn = this.#emitAll(row, next, start, nearer[at + 1], edges);
      edges.pop();
      if (!goesOn) return false;
    }
    return true;
  }

  /** Cached, because many paths pass through the same node, which may have thousands of edges. */
  #nearerTo(node: number, row: Row): readonly number[] {
    const known = this.#nearer.get(node);
    const { way, edgeTest, innerTest, budget } = this.#options;
    budget.spend(1);
    if (known !== undefined) return known;
    const found: number[] = [];
    forEachEdge({ ...this.#options, way: reversed(way) }, node, true, (edge, other) => {
      const isNearer = this.#turnOf[other] === this.#turn && this.#depth[other] === this.#depth[node] - 1;
      if (!isNearer || (edgeTest !== undefined && !edgeTest(edge, row))) return true;
      if (innerTest === undefined || innerTest(other, row)) found.push(edge, other);
      return true;
    });
    const bytes = (found.length + NEARER_VALUES) * Float64Array.BYTES_PER_ELEMENT;
    budget.reserve(bytes);
    this.#nearerBytes += bytes;
    this.#nearer.set(node, found);
    return found;
  }

  /** @param edges in order from the end back to the start of the search */
  #hand(row: Row, next: Next, edges: readonly number[]): boolean {
    const { slot, isBackward } = this.#options;
    if (slot !== undefined) row[slot] = relationshipsOf(edges, !isBackward);
    return next(row);
  }
}
