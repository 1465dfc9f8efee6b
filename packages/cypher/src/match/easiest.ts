/** The paths with the smallest sum of weights from a node to each matching end, the easiest end first. */
import type { Row } from '../run/context.ts';
import { NodeValue } from '../values/values.ts';
import type { Next, Step, TrailOptions } from './steps.ts';
import { forEachEdge, nodeAt, relationshipsOf, reversed } from './steps.ts';
import type { WeightedGraph, WeightedPath } from './weightedSearch.ts';
import { easiestPaths, WeightedSearch, weightsBy } from './weightedSearch.ts';

export interface EasiestOptions extends TrailOptions {
  /** Number of paths between two nodes. */
  readonly count: number;
  /** Property with the weights; a path follows no relationship without it. */
  readonly by: string;
  /** Offset of the property in the query. */
  readonly byAt: number;
  /** Tests the nodes of paths, including the ends. */
  readonly innerTest: ((node: number, row: Row) => boolean) | undefined;
  /** Whether the tests of edges and nodes do not depend on the row. */
  readonly isFixed: boolean;
}

/** Number of searches for paths to the same end before one search from this end answers further starts. */
const SINGLE_SEARCHES = 3;

export function easiest(options: EasiestOptions): Step {
  const { from, to, isInto, min, test, count } = options;
  const weighted = weightedGraph(options, options.way);
  // Created once, because subqueries are linked for each row.
  let search: WeightedSearch | undefined;
  let further: WeightedSearch | undefined;
  let tree: { readonly end: number; readonly search: WeightedSearch } | undefined;
  /** Number of searches for each end. */
  const searches = new Map<number, number>();
  const searchesTo = (end: number): number => {
    const made = (searches.get(end) ?? 0) + 1;
    searches.set(end, made);
    return made;
  };

  const hand = (row: Row, next: Next, path: WeightedPath): boolean => {
    const { slot, isBackward } = options;
    if (slot !== undefined) row[slot] = relationshipsOf(path.edges, isBackward);
    if (!isInto) row[to] = new NodeValue(path.nodes[path.nodes.length - 1]);
    return next(row);
  };
  const handAll = (row: Row, next: Next, first: WeightedPath): boolean => {
    if (count === 1 || first.edges.length === 0) return hand(row, next, first);
    further ??= new WeightedSearch(weighted);
    return easiestPaths(first, count, further, weighted, row, (path) => hand(row, next, path));
  };

  /** A path from the tree of one end, which answers any number of starts. */
  const fromTree = (start: number, end: number, row: Row): WeightedPath | undefined => {
    if (tree?.end !== end) {
      const against = tree?.search ?? new WeightedSearch(weightedGraph(options, reversed(options.way)));
      against.from(end, row, () => true);
      tree = { end, search: against };
    }
    if (!tree.search.has(start)) return undefined;
    const { nodes, edges, weights } = tree.search.to(start);
    const whole = weights[weights.length - 1];
    return {
      nodes: nodes.toReversed(),
      edges: edges.toReversed(),
      weights: weights.map((weight) => whole - weight).reverse(),
    };
  };

  return (next) => (row) => {
    const start = nodeAt(row, from);
    const target = isInto ? nodeAt(row, to) : undefined;
    if (start === undefined || (isInto && target === undefined)) return true;
    search ??= new WeightedSearch(weighted);
    if (target !== undefined) {
      // No path except the empty one leads from a node to itself.
      if (start === target && min > 0) return true;
      const isShared = options.isFixed && count === 1 && searchesTo(target) > SINGLE_SEARCHES;
      const path = isShared ? fromTree(start, target, row) : search.between(start, target, row);
      return path === undefined || handAll(row, next, path);
    }
    const found = search;
    return found.from(start, row, (node) => {
      if ((node === start && min > 0) || !test(node, row)) return true;
      return handAll(row, next, found.to(node));
    });
  };
}

const weightedGraph = (
  { graph, budget, types, by, byAt, edgeTest, innerTest }: EasiestOptions,
  way: EasiestOptions['way'],
): WeightedGraph => ({
  ...{ graph, budget, edgeTest, innerTest },
  follow: (node, visit) => forEachEdge({ graph, budget, types, way }, node, true, visit),
  weightOf: weightsBy(graph, by, byAt),
});
