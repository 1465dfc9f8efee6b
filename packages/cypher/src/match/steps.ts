/** The steps of a match: each one finds one part of the pattern, given a row with the previous parts. */
import { CypherError } from '../cypherError.ts';
import type { Edges, PropertyGraph } from '../graph/propertyGraph.ts';
import { type Budget, type Spends, textSteps } from '../run/budget.ts';
import type { Row } from '../run/context.ts';
import { NodeValue, RelationshipValue, typeName, type Value } from '../values/values.ts';
import type { FollowedTypes, ListedEdges } from './followedTypes.ts';

/** @returns false if no more rows are wanted */
export type Next = (row: Row) => boolean;
export type Step = (next: Next) => Next;

export type NodeTest = (node: number, row: Row) => boolean;
export type EdgeTest = (edge: number, row: Row) => boolean;

/** Direction in which edges are followed: forward, backward, or both. */
export type Way = 'out' | 'in' | 'both';

export interface HopOptions {
  readonly graph: PropertyGraph;
  readonly budget: Budget;
  readonly way: Way;
  /** Absent for all types. */
  readonly types: FollowedTypes | undefined;
  readonly from: number;
  readonly to: number;
  /** Whether the node at the far end is already matched. */
  readonly isInto: boolean;
  readonly test: NodeTest;
  /** Slot for the relationship; absent if it is not needed. */
  readonly slot: number | undefined;
  /** Slots of other relationships of the same match, which must be different edges. */
  readonly others: readonly number[];
}

/** @returns `undefined` if the row contains null */
export function nodeAt(row: Row, slot: number): number | undefined {
  const value = row[slot];
  if (value === null || value === undefined) return undefined;
  if (value instanceof NodeValue) return value.node;
  throw new CypherError('value', `a pattern needs a node at this place, not ${typeName(value)}`);
}

/**
 * @param before steps that bind the slot
 * @returns a function that finds all nodes that the steps bind for a row, each once, before anything is emitted
 */
export function allBoundBy(before: readonly Step[], slot: number): (row: Row) => ReadonlySet<number> {
  let nodes = new Set<number>();
  const collect = before.reduceRight<Next>(
    (following, step) => step(following),
    (row) => {
      const node = nodeAt(row, slot);
      if (node !== undefined) nodes.add(node);
      return true;
    },
  );
  return (row) => {
    nodes = new Set();
    collect(row);
    return nodes;
  };
}

/** Whether this edge is already another relationship of the match. */
export function isTaken(row: Row, others: readonly number[], edge: number, budget: Spends): boolean {
  budget.spend(others.length >>> 2);
  for (const slot of others) {
    const value = row[slot];
    if (value instanceof RelationshipValue) {
      if (value.edge === edge) return true;
    } else if (Array.isArray(value)) {
      budget.spend(value.length >>> 2);
      for (const one of value) if ((one as RelationshipValue).edge === edge) return true;
    }
  }
  return false;
}

/** Calls `visit` with each edge of a node and the node at its other end. @returns false if `visit` stopped */
export function forEachEdge(
  { graph, budget, way, types }: Pick<HopOptions, 'graph' | 'budget' | 'way' | 'types'>,
  node: number,
  needsNumber: boolean,
  visit: (edge: number, other: number) => boolean,
): boolean {
  if (way !== 'in') {
    const { offsets, neighbors, kinds } = graph.out;
    const [begin, end] = [offsets[node], offsets[node + 1]];
    const listed = types?.listed('out', graph, end - begin, budget);
    if (listed !== undefined) {
      if (!forEachListed(listed, graph, budget, node, visit)) return false;
    } else {
      const { isHidden } = graph;
      budget.spend(end - begin + 1);
      for (let at = begin; at < end; at++) {
        if (types !== undefined && types.allowed[kinds[at]] !== 1) continue;
        if (isHidden?.(neighbors[at])) continue;
        if (!visit(at, neighbors[at])) return false;
      }
    }
  }
  if (way === 'out') return true;
  const { offsets, neighbors, kinds } = graph.in;
  const [begin, end] = [offsets[node], offsets[node + 1]];
  const isLoopTold = way === 'both';
  const visitIn = (at: number, other: number): boolean =>
    // A loop is in both directions, but is one edge.
    (isLoopTold && other === node) || visit(needsNumber ? graph.edgeAtIn(at, node) : -1, other);
  const listed = types?.listed('in', graph, end - begin, budget);
  if (listed !== undefined) return forEachListed(listed, graph, budget, node, visitIn);
  const { isHidden } = graph;
  budget.spend(end - begin + 1);
  for (let at = begin; at < end; at++) {
    if (types !== undefined && types.allowed[kinds[at]] !== 1) continue;
    if (isHidden?.(neighbors[at])) continue;
    if (!visitIn(at, neighbors[at])) return false;
  }
  return true;
}

/** @param visit receives the index of each edge among all edges of its direction */
function forEachListed(
  { offsets, neighbors, places }: ListedEdges,
  { isHidden }: PropertyGraph,
  budget: Budget,
  node: number,
  visit: (place: number, other: number) => boolean,
): boolean {
  const end = offsets[node + 1];
  budget.spend(end - offsets[node] + 1);
  for (let at = offsets[node]; at < end; at++) {
    if (isHidden?.(neighbors[at])) continue;
    if (!visit(places[at], neighbors[at])) return false;
  }
  return true;
}

export const reversed = (way: Way): Way => (way === 'both' ? 'both' : way === 'out' ? 'in' : 'out');

/** @returns the other end of an edge; for a loop, the node itself */
export function otherEnd(graph: PropertyGraph, edge: number, node: number): number {
  const end = graph.out.neighbors[edge];
  return end === node ? graph.startOf(edge) : end;
}

/** @param edges in search order; the result is in pattern order */
export function relationshipsOf(edges: readonly number[], isBackward: boolean): RelationshipValue[] {
  const list = edges.map((edge) => new RelationshipValue(edge));
  return isBackward ? list.reverse() : list;
}

/** Follows one relationship. */
export function hop(options: HopOptions): Step {
  const { from, to, isInto, test, slot, others, budget } = options;
  const needsNumber = slot !== undefined || others.length > 0;
  return (next) => (row) => {
    const start = nodeAt(row, from);
    if (start === undefined) return true;
    if (isInto) {
      const target = nodeAt(row, to);
      if (target === undefined) return true;
      return forEachEdgeBetween(options, start, target, (edge) => {
        if (others.length > 0 && isTaken(row, others, edge, budget)) return true;
        if (slot !== undefined) row[slot] = new RelationshipValue(edge);
        return next(row);
      });
    }
    return forEachEdge(options, start, needsNumber, (edge, other) => {
      if (!test(other, row)) return true;
      if (others.length > 0 && isTaken(row, others, edge, budget)) return true;
      if (slot !== undefined) row[slot] = new RelationshipValue(edge);
      row[to] = new NodeValue(other);
      return next(row);
    });
  };
}

/** Visits the edges between two nodes. The edges of a node are sorted by their other end. */
export function forEachEdgeBetween(
  { graph, budget, way, types }: Pick<HopOptions, 'graph' | 'budget' | 'way' | 'types'>,
  start: number,
  target: number,
  visit: (edge: number) => boolean,
): boolean {
  const along = (from: number, to: number): boolean => {
    const { neighbors, kinds, offsets } = graph.out;
    budget.spend(4);
    for (let at = firstTo(graph.out, from, to); at < offsets[from + 1] && neighbors[at] === to; at++)
      if ((types === undefined || types.allowed[kinds[at]] === 1) && !visit(at)) return false;
    return true;
  };
  if (way === 'out') return along(start, target);
  if (way === 'in') return along(target, start);
  return along(start, target) && (start === target || along(target, start));
}

function firstTo({ offsets, neighbors }: Edges, from: number, to: number): number {
  let low = offsets[from];
  let high = offsets[from + 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (neighbors[middle] < to) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Matches a relationship that already has a value, by looking up its ends. */
export function givenHop(
  { graph, way, types, from, to, others, budget }: HopOptions,
  slot: number,
  fits: (row: Row, from: number, to: number) => boolean,
): Step {
  return (next) => (row) => {
    const value = row[slot];
    if (value === null) return true;
    if (!(value instanceof RelationshipValue))
      throw new CypherError('value', `a pattern needs a relationship at this place, not ${typeName(value)}`);
    const { edge } = value;
    if (
      (types !== undefined && types.allowed[graph.out.kinds[edge]] !== 1) ||
      isTaken(row, others, edge, budget)
    )
      return true;
    const ends = [graph.startOf(edge), graph.out.neighbors[edge]];
    const bind = (start: number, end: number): boolean => {
      if (!fits(row, start, end)) return true;
      row[from] = new NodeValue(start);
      row[to] = new NodeValue(end);
      return next(row);
    };
    const [start, end] = way === 'in' ? ends.toReversed() : ends;
    const before = [row[from], row[to]];
    const goesOn = bind(start, end);
    if (!goesOn || way !== 'both' || start === end) return goesOn;
    [row[from], row[to]] = before;
    return bind(end, start);
  };
}

export interface TrailOptions extends HopOptions {
  readonly min: number;
  readonly max: number;
  /** Whether the search runs in the opposite direction of the list. */
  readonly isBackward: boolean;
  readonly edgeTest: EdgeTest | undefined;
  /** Number of steps to the nearest node at which the trail may end, capped at 65,535; absent if unknown. */
  readonly distances: ((row: Row) => Uint16Array) | undefined;
  /** Whether distances are worth computing at once; otherwise they are computed after many edges were followed. */
  readonly isSelective: boolean;
  /** Whether shorter trails from each start come first. */
  readonly isShortFirst: boolean;
  /** Whether ends must differ from the start, as in shortest paths. */
  readonly isApart: boolean;
  /** Called once if trails were cut at the length limit. */
  readonly onCut: () => void;
}

export interface ShortestOptions extends TrailOptions {
  readonly all: boolean;
  /** Tests the nodes of paths, including the ends. */
  readonly innerTest: ((node: number, row: Row) => boolean) | undefined;
  /** Whether the tests of edges and nodes do not depend on the row. */
  readonly isFixed: boolean;
  /** All possible end nodes; absent if they differ between rows. */
  readonly ends: (() => readonly number[]) | undefined;
  /** Whether only the edges of all paths together are needed: each edge is returned once, as part of one path. */
  readonly isUnion: boolean;
}

/** Number of edges followed before a backward search from the ends finds the nodes that lead to one. */
const BLIND_EDGES = 2000;

/** Enumerates trails from a node: paths without repeated edges. */
export function trails(options: TrailOptions): Step {
  const { from, to, isInto, test, slot, others, min, isBackward, edgeTest, distances, budget, onCut } =
    options;
  const longest = Math.min(options.max, budget.limits.pathLength);
  let blind = options.isSelective ? 0 : BLIND_EDGES;
  return (next) => (row) => {
    const start = nodeAt(row, from);
    if (start === undefined) return true;
    const target = isInto ? nodeAt(row, to) : undefined;
    if (isInto && target === undefined) return true;
    let left = blind <= 0 ? distances?.(row) : undefined;
    const edges: number[] = [];
    const taken = new Set<number>();
    const ends = (node: number): boolean => (target === undefined ? test(node, row) : node === target);
    const emit = (node: number): boolean => {
      if (slot !== undefined) row[slot] = relationshipsOf(edges, isBackward);
      if (target === undefined) row[to] = new NodeValue(node);
      return next(row);
    };
    /** Emits trails of `least` to `most` relationships. */
    let [least, most] = [min, longest];
    let isCut = false;
    const walk = (node: number): boolean => {
      if (edges.length >= least && ends(node) && !emit(node)) return false;
      if (edges.length >= most) {
        isCut ||= graphHasMore(options, node);
        return true;
      }
      return forEachEdge(options, node, true, (edge, other) => {
        if (blind > 0) blind--;
        else left ??= distances?.(row);
        if (left !== undefined) {
          if (left[other] === UNREACHED) return true;
          if (edges.length + 1 + left[other] > most) {
            isCut = true;
            return true;
          }
        }
        if (taken.has(edge) || (others.length > 0 && isTaken(row, others, edge, budget))) return true;
        if (edgeTest !== undefined && !edgeTest(edge, row)) return true;
        edges.push(edge);
        taken.add(edge);
        const goesOn = walk(other);
        edges.pop();
        taken.delete(edge);
        return goesOn;
      });
    };
    if (options.isShortFirst) {
      for (most = min; ; most++) {
        least = most;
        isCut = false;
        if (!walk(start)) return false;
        if (!isCut || most >= longest) break;
      }
    } else if (!walk(start)) return false;
    if (isCut && longest < options.max) onCut();
    return true;
  };
}

function graphHasMore({ graph, way }: HopOptions, node: number): boolean {
  const has = ({ offsets }: Edges): boolean => offsets[node + 1] > offsets[node];
  return (way !== 'in' && has(graph.out)) || (way !== 'out' && has(graph.in));
}

export const UNREACHED = 0xffff;

/** Number of steps from each node to the nearest target, following edges in the given direction. */
export function distancesTo(
  { graph, budget, way, types }: Pick<HopOptions, 'graph' | 'budget' | 'way' | 'types'>,
  targets: Iterable<number>,
): Uint16Array {
  budget.spend(textSteps(graph.nodeCount * Uint16Array.BYTES_PER_ELEMENT));
  const distances = new Uint16Array(graph.nodeCount).fill(UNREACHED);
  let layer: number[] = [];
  for (const node of targets) {
    distances[node] = 0;
    layer.push(node);
  }
  const against = reversed(way);
  for (let distance = 1; layer.length > 0 && distance < UNREACHED; distance++) {
    const further: number[] = [];
    for (const node of layer)
      forEachEdge({ graph, budget, way: against, types }, node, false, (_edge, other) => {
        if (distances[other] === UNREACHED) {
          distances[other] = distance;
          further.push(other);
        }
        return true;
      });
    layer = further;
  }
  return distances;
}

/** Finds the ends of trails, each once, if neither the trails nor their number are needed. */
export function reach(options: TrailOptions): Step {
  const { graph, budget, from, to, isInto, test, min, max, edgeTest, isApart } = options;
  // Numbered by row, so that they need not be cleared. Created once, because subqueries are linked for each
  // row.
  let marks: Int32Array | undefined;
  let turn = 0;
  return (next) => (row) => {
    const start = nodeAt(row, from);
    const target = isInto ? nodeAt(row, to) : undefined;
    if (start === undefined || (isInto && target === undefined)) return true;
    if (marks === undefined) {
      budget.reserve(graph.nodeCount * Int32Array.BYTES_PER_ELEMENT);
      marks = new Int32Array(graph.nodeCount);
    }
    const seen = marks;
    turn++;
    const emit = (node: number): boolean => {
      if (isApart && node === start) return true;
      if (target !== undefined) return node !== target || next(row);
      if (!test(node, row)) return true;
      row[to] = new NodeValue(node);
      return next(row);
    };
    let foundStart = min === 0;
    if (foundStart && !emit(start)) return false;
    seen[start] = turn;
    let layer = [start];
    for (let length = 1; layer.length > 0 && length <= max; length++) {
      const further: number[] = [];
      for (const node of layer) {
        const goesOn = forEachEdge(options, node, edgeTest !== undefined, (edge, other) => {
          if (other === start ? foundStart : seen[other] === turn) return true;
          if (edgeTest !== undefined && !edgeTest(edge, row)) return true;
          if (other === start) foundStart = true;
          else further.push(other);
          seen[other] = turn;
          return emit(other);
        });
        if (!goesOn) return false;
      }
      layer = further;
    }
    return true;
  };
}

/** Matches the relationships of a list variable as a trail. */
export function givenTrail(options: TrailOptions, slot: number): Step {
  const { graph, from, to, isInto, test, min, max, way, isBackward } = options;
  return (next) => (row) => {
    const list = row[slot] as Value;
    const start = nodeAt(row, from);
    if (list === null || start === undefined) return true;
    if (!Array.isArray(list) || list.length < min || list.length > max) return true;
    let node = start;
    for (const value of isBackward ? list.toReversed() : list) {
      if (!(value instanceof RelationshipValue)) return true;
      const [first, second] = [graph.startOf(value.edge), graph.out.neighbors[value.edge]];
      if (way !== 'in' && first === node) node = second;
      else if (way !== 'out' && second === node) node = first;
      else return true;
    }
    if (isInto) return nodeAt(row, to) !== node || next(row);
    if (!test(node, row)) return true;
    row[to] = new NodeValue(node);
    return next(row);
  };
}
