/** Breadth-first searches: the number of steps between nodes and the nearest source or target. */
import type { AttackGraph } from '../columns/attackGraph.ts';
import type { NodeSet } from '../columns/nodeSet.ts';
import type { Cancel } from './cancel.ts';
import { ALL_EDGES, type EdgeFilter } from './edgeFilter.ts';
import { beginWalk, expandLevel } from './expand.ts';
import { type Scratch, withScratch } from './scratch.ts';

/** `out` follows edges from start to end, `in` from end to start. */
export type Direction = 'out' | 'in';

export interface TraversalOptions {
  /** Default: `out`. */
  readonly direction?: Direction;
  /** Default: every edge. */
  readonly filter?: EdgeFilter;
  /** Nodes that are never visited; as a source they reach nothing, not even themselves. */
  readonly blocked?: NodeSet;
  /** Maximum length of walks in edges, >= 0. Default: no limit. */
  readonly maxDepth?: number;
  readonly cancel?: Cancel;
}

/** Nodes in order of discovery: by distance from the nearest source. */
export interface BreadthFirst {
  readonly nodes: Uint32Array;
  /**
   * Nodes at distance d are at levels[d] .. levels[d + 1] - 1 of `nodes`. Sources have distance 0. The length is two more
   * than the greatest distance.
   */
  readonly levels: Uint32Array;
}

/**
 * Breadth-first walk from all sources at once. O(edges of the reached nodes).
 * @param sources node numbers, repetitions allowed
 * @returns the sources and all nodes reached; sources are in the given order, the other nodes in an order that
 * depends only on the graph and the order of the sources
 * @throws CanceledError
 */
export function breadthFirst(
  graph: AttackGraph,
  sources: Iterable<number>,
  options: TraversalOptions = {},
): BreadthFirst {
  return withScratch(graph.nodeCount, (scratch) => {
    const levels = walk(graph, sources, options, scratch);
    return { nodes: scratch.queue.slice(0, levels[levels.length - 1]), levels: Uint32Array.from(levels) };
  });
}

/** @returns neighbors of a node over edges that pass the filter, ascending, without repetitions */
export function neighborsOf(
  graph: AttackGraph,
  node: number,
  direction: Direction = 'out',
  filter: EdgeFilter = ALL_EDGES,
): number[] {
  const { offsets, neighbors, kinds } = graph[direction];
  const found: number[] = [];
  for (let at = offsets[node]; at < offsets[node + 1]; at++) {
    if (filter.allows[kinds[at]] === 1 && found.at(-1) !== neighbors[at]) found.push(neighbors[at]);
  }
  return found;
}

/** Fills the queue of `scratch`. @returns the boundaries of levels, as in `BreadthFirst` */
function walk(
  graph: AttackGraph,
  sources: Iterable<number>,
  options: TraversalOptions,
  scratch: Scratch,
): number[] {
  const adjacency = graph[options.direction ?? 'out'];
  const allows = (options.filter ?? ALL_EDGES).allows;
  const maxDepth = options.maxDepth ?? Number.POSITIVE_INFINITY;
  const levels = [0];
  const { visited, used: sourceCount } = beginWalk(graph, sources, options.blocked, scratch);
  let used = sourceCount;
  while (used > levels[levels.length - 1]) {
    const from = levels[levels.length - 1];
    levels.push(used);
    if (levels.length - 2 >= maxDepth) break;
    used = expandLevel(adjacency, allows, scratch, visited, from, used, options.cancel);
  }
  return levels;
}
