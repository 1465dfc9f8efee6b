/** All shortest paths between two nodes, as one sub-graph of bounded size. */
import { attackGraph } from '@clew/analysis';
import { ALL_EDGES, edgesOfKind, shortestPaths } from '@clew/graph';
import type { Meter } from '../meter.ts';
import type { QueryData } from '../queryData.ts';

export interface PathsRequest {
  readonly start: number;
  readonly end: number;
  /** Numbers of the edge kinds to walk; absent for every kind. */
  readonly kinds?: readonly number[];
  /** Walk only edges that pass on control: no edge of containment or policy link that passes nothing on. */
  readonly onlyPassing?: boolean;
}

export interface Paths {
  /** Ascending. */
  readonly nodes: Uint32Array;
  /** Edge numbers, ascending. */
  readonly edges: Uint32Array;
  /** Edges on shortest paths that the sub-graph leaves out; it is made of whole paths, the canonical one first. */
  readonly omittedEdges: number;
}

/** Edges of one answer, about 200 bytes each. More than anybody can look at, and quick to send. */
export const MAX_PATH_EDGES = 20_000;

/** @returns `undefined` when no path leads from start to end, or both are the same node. */
export function findPaths(data: QueryData, request: PathsRequest, meter: Meter): Paths | undefined {
  // The search cannot be interrupted by the meter: in a graph of any size it belongs in a thread.
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
