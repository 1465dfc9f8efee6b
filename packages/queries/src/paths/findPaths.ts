/** All shortest paths between two nodes, as one subgraph of limited size. */
import { attackGraph } from '@clew/analysis';
import { ALL_EDGES, edgesOfKind, shortestPaths } from '@clew/graph';
import type { Meter } from '../meter.ts';
import type { QueryData } from '../queryData.ts';

export interface PathsRequest {
  readonly start: number;
  readonly end: number;
  /** Numbers of the edge kinds to follow; absent for every kind. */
  readonly kinds?: readonly number[];
  /** Only follow edges that pass on control, without containment or policy links that pass on nothing. */
  readonly onlyPassing?: boolean;
}

export interface Paths {
  /** Ascending. */
  readonly nodes: Uint32Array;
  /** Edge numbers, ascending. */
  readonly edges: Uint32Array;
  /** Number of edges on shortest paths outside the subgraph, which consists of complete paths, the canonical one first. */
  readonly omittedEdges: number;
}

/** Maximum edges in an answer, about 200 bytes each: more than users can view, and fast to send. */
export const MAX_PATH_EDGES = 20_000;

/** @returns `undefined` if there is no path from start to end, or both are the same node */
export function findPaths(data: QueryData, request: PathsRequest, meter: Meter): Paths | undefined {
  // The meter cannot interrupt the search, so for a large graph it must run in a thread.
  meter.spend(data.graph.edgeCount >>> 3);
  const graph = request.onlyPassing === true ? attackGraph(data.graph) : data.graph;
  const found = shortestPaths(graph, request.start, request.end, {
    filter: request.kinds === undefined ? ALL_EDGES : edgesOfKind(...request.kinds),
    maxEdges: MAX_PATH_EDGES,
    cancel: meter.cancel,
  });
  if (found === undefined) return undefined;
  const { nodes, edges, edgeTotal } = found;
  return { nodes, edges, omittedEdges: edgeTotal - edges.length };
}
