/**
 * Computes the edges on any shortest path from the meeting nodes of a search, and truncates that union to whole
 * paths. Edge lists are sorted by edge number throughout.
 */
import type { Adjacency, AttackGraph } from '../columns/attackGraph.ts';
import { findEdge, startOf } from '../columns/lookup.ts';
import { Uint32List } from '../columns/uint32List.ts';
import type { Meeting, SearchSide } from './bidirectionalSearch.ts';

export interface PathUnion {
  /** Nodes on any shortest path, ascending. */
  readonly nodes: Uint32Array;
  /** Numbers of the edges on any shortest path, ascending. */
  readonly edges: Uint32Array;
}

/** @returns all shortest paths. Reads at most as many edges as the search did. */
export function collectUnion(graph: AttackGraph, meeting: Meeting, allows: Uint8Array): PathUnion {
  const edges = new Uint32List();
  const nodes = new Uint32List();
  for (const node of meeting.nodes) nodes.push(node);
  for (const side of [meeting.forward, meeting.backward]) {
    collectSide(graph, side, meeting, allows, nodes, edges);
  }
  return { nodes: nodes.toSortedArray(), edges: edges.toSortedArray() };
}

/** Walks from the middle back to the ends of one side, over edges between consecutive depths. */
function collectSide(
  graph: AttackGraph,
  side: SearchSide,
  { scratch, nodes: middle }: Meeting,
  allows: Uint8Array,
  nodes: Uint32List,
  edges: Uint32List,
): void {
  const { levels, degrees, behind } = side;
  let onPath = middle;
  let onPathStamp = scratch.nextStamp();
  for (const node of middle) scratch.stamps[node] = onPathStamp;
  for (let depth = levels.length - 2; depth > 0; depth--) {
    const nearerStamp = scratch.nextStamp();
    let degreeBehind = 0;
    for (const node of onPath) degreeBehind += behind.offsets[node + 1] - behind.offsets[node];
    const level: NearerLevel = { depth: depth - 1, nearerStamp, marks: scratch.stamps, allows, edges };
    // A hub on the path may have far more incoming edges than the whole previous level has outgoing ones.
    onPath =
      degreeBehind <= degrees[depth - 1]
        ? collectFromPath(graph, side, onPath, level)
        : collectFromLevel(graph, side, onPathStamp, level);
    for (const node of onPath) nodes.push(node);
    onPathStamp = nearerStamp;
  }
}

/** The level one step closer to the end, and what is recorded there. */
interface NearerLevel {
  readonly depth: number;
  /** Marks its nodes on a path. */
  readonly nearerStamp: number;
  readonly marks: Uint32Array;
  /** 1 for the kinds of edges that are followed. */
  readonly allows: Uint8Array;
  readonly edges: Uint32List;
}

/**
 * Follows edges backward from the nodes on the path. @returns the nodes on a path at `depth`, one step closer to
 * the end.
 */
function collectFromPath(
  graph: AttackGraph,
  { behind, stamps }: SearchSide,
  onPath: readonly number[],
  { depth, nearerStamp, marks, allows, edges }: NearerLevel,
): number[] {
  const nearer: number[] = [];
  for (const node of onPath) {
    for (let at = behind.offsets[node]; at < behind.offsets[node + 1]; at++) {
      const next = behind.neighbors[at];
      const isNew = marks[next] === stamps[depth];
      if ((!isNew && marks[next] !== nearerStamp) || allows[behind.kinds[at]] === 0) continue;
      edges.push(edgeNumber(graph, behind, node, at));
      if (isNew) {
        marks[next] = nearerStamp;
        nearer.push(next);
      }
    }
  }
  return nearer;
}

/** Follows the outgoing edges of all nodes at level `depth`. @returns the nodes that are on a path */
function collectFromLevel(
  graph: AttackGraph,
  { ahead, levels, queue }: SearchSide,
  onPathStamp: number,
  { depth, nearerStamp, marks, allows, edges }: NearerLevel,
): number[] {
  const nearer: number[] = [];
  for (let place = levels[depth]; place < levels[depth + 1]; place++) {
    const node = queue[place];
    for (let at = ahead.offsets[node]; at < ahead.offsets[node + 1]; at++) {
      if (marks[ahead.neighbors[at]] !== onPathStamp || allows[ahead.kinds[at]] === 0) continue;
      edges.push(edgeNumber(graph, ahead, node, at));
      if (marks[node] !== nearerStamp) {
        marks[node] = nearerStamp;
        nearer.push(node);
      }
    }
  }
  return nearer;
}

function edgeNumber(graph: AttackGraph, rows: Adjacency, row: number, at: number): number {
  return rows === graph.out ? at : findEdge(graph, rows.neighbors[at], rows.kinds[at], row);
}

/** @returns the first edge of the list that starts at `node`, or `undefined`. */
export function firstEdgeFrom(graph: AttackGraph, edges: Uint32Array, node: number): number | undefined {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (edges[middle] < graph.out.offsets[node]) low = middle + 1;
    else high = middle;
  }
  return edges[low] < graph.out.offsets[node + 1] ? edges[low] : undefined;
}

/**
 * @param canonical the edges of the canonical path
 * @returns the edges of the canonical path and of as many further paths as fit. The path of an edge consists of
 * its smallest predecessors, the edge, and its smallest successors.
 */
export function boundUnion(
  graph: AttackGraph,
  union: PathUnion,
  canonical: Uint32Array,
  maxEdges: number,
): PathUnion {
  if (union.edges.length <= maxEdges) return union;
  const kept = new Set<number>(canonical);
  const firstEdgeTo = new Map<number, number>();
  for (const edge of union.edges) {
    const end = graph.out.neighbors[edge];
    if (!firstEdgeTo.has(end)) firstEdgeTo.set(end, edge);
  }
  for (const edge of union.edges) {
    if (kept.size >= maxEdges) break;
    if (kept.has(edge)) continue;
    const missing = pathThrough(graph, union.edges, firstEdgeTo, edge).filter((part) => !kept.has(part));
    if (kept.size + missing.length <= maxEdges) for (const part of missing) kept.add(part);
  }
  const nodes = new Set<number>();
  for (const edge of kept) nodes.add(startOf(graph, edge)).add(graph.out.neighbors[edge]);
  return { nodes: Uint32Array.from(nodes).sort(), edges: Uint32Array.from(kept).sort() };
}

function pathThrough(
  graph: AttackGraph,
  edges: Uint32Array,
  firstEdgeTo: ReadonlyMap<number, number>,
  edge: number,
): number[] {
  const path = [edge];
  let before = firstEdgeTo.get(startOf(graph, edge));
  while (before !== undefined) {
    path.push(before);
    before = firstEdgeTo.get(startOf(graph, before));
  }
  let after = firstEdgeFrom(graph, edges, graph.out.neighbors[edge]);
  while (after !== undefined) {
    path.push(after);
    after = firstEdgeFrom(graph, edges, graph.out.neighbors[after]);
  }
  return path;
}
