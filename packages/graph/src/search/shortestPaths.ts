/**
 * Shortest attack paths: all of them as one subgraph, and one canonical path. Paths are directed, from start to
 * end. Results are deterministic, including their order.
 */
import type { AttackGraph } from '../columns/attackGraph.ts';
import type { NodeSet } from '../columns/nodeSet.ts';
import { type Meeting, searchFromBothEnds } from './bidirectionalSearch.ts';
import type { Cancel } from './cancel.ts';
import { ALL_EDGES, type EdgeFilter } from './edgeFilter.ts';
import { boundUnion, collectUnion, firstEdgeFrom } from './pathUnion.ts';
import { withScratch } from './scratch.ts';

export interface PathOptions {
  /** Default: every edge. */
  readonly filter?: EdgeFilter;
  /** Nodes that are not on any path, not even as its start or end. */
  readonly blocked?: NodeSet;
  /** Maximum path length in edges. Default: no limit. */
  readonly maxLength?: number;
  readonly cancel?: Cancel;
}

export interface UnionOptions extends PathOptions {
  /**
   * Maximum number of edges in the union of all shortest paths. A truncated union consists of whole paths, beginning
   * with the canonical one, which is kept even if it exceeds the limit. Default: no limit.
   */
  readonly maxEdges?: number;
}

/** One path: edge n leads from node n to node n + 1. */
export interface Path {
  readonly nodes: Uint32Array;
  /** Edge numbers; one fewer than nodes. */
  readonly edges: Uint32Array;
}

export interface ShortestPaths {
  /** Number of edges of each path, >= 1. */
  readonly length: number;
  /** The first of all shortest paths, by node numbers from the start on, then by kinds. */
  readonly path: Path;
  /** Nodes on any of the paths, ascending. */
  readonly nodes: Uint32Array;
  /** Numbers of the edges on any of the paths, ascending, and so sorted by (start, end, kind). */
  readonly edges: Uint32Array;
  /** Number of edges on any shortest path; greater than the length of `edges` if `maxEdges` truncated the union. */
  readonly edgeTotal: number;
}

/**
 * @param from one or more nodes; nodes that are also in `to` start no path, so no path leads from a node to itself
 * @param to one or more nodes
 * @returns the shortest paths from any of `from` to any of `to`; `undefined` if there is no path
 * @throws CanceledError
 */
export function shortestPaths(
  graph: AttackGraph,
  from: number | Iterable<number>,
  to: number | Iterable<number>,
  options: UnionOptions = {},
): ShortestPaths | undefined {
  const starts = listNodes(from);
  return search(graph, starts, listNodes(to), options, (meeting) => {
    const union = collectUnion(graph, meeting, (options.filter ?? ALL_EDGES).allows);
    const path = canonicalPath(graph, union.edges, starts);
    const bound = boundUnion(graph, union, path.edges, options.maxEdges ?? Number.POSITIVE_INFINITY);
    return { length: path.edges.length, path, ...bound, edgeTotal: union.edges.length };
  });
}

function search<Result>(
  graph: AttackGraph,
  from: readonly number[],
  to: readonly number[],
  options: PathOptions,
  answer: (meeting: Meeting) => Result,
): Result | undefined {
  const limits = {
    allows: (options.filter ?? ALL_EDGES).allows,
    blocked: options.blocked,
    maxLength: options.maxLength ?? Number.POSITIVE_INFINITY,
    cancel: options.cancel,
  };
  return withScratch(graph.nodeCount, (forwardScratch) =>
    withScratch(graph.nodeCount, (backwardScratch) => {
      const meeting = searchFromBothEnds(graph, from, to, limits, forwardScratch, backwardScratch);
      return meeting === undefined ? undefined : answer(meeting);
    }),
  );
}

function listNodes(nodes: number | Iterable<number>): number[] {
  return typeof nodes === 'number' ? [nodes] : Array.from(nodes).sort((a, b) => a - b);
}

/** Every edge of the union leads toward an end node, so the smallest edge at each node gives the smallest path. */
function canonicalPath(graph: AttackGraph, edgesOfUnion: Uint32Array, starts: readonly number[]): Path {
  const nodes: number[] = [];
  const edges: number[] = [];
  let next: number | undefined;
  for (let at = 0; next === undefined && at < starts.length; at++) {
    next = firstEdgeFrom(graph, edgesOfUnion, starts[at]);
    if (next !== undefined) nodes.push(starts[at]);
  }
  while (next !== undefined) {
    edges.push(next);
    nodes.push(graph.out.neighbors[next]);
    next = firstEdgeFrom(graph, edgesOfUnion, graph.out.neighbors[next]);
  }
  return { nodes: Uint32Array.from(nodes), edges: Uint32Array.from(edges) };
}
