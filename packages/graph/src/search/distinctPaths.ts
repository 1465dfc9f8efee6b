/**
 * Finds several paths between two nodes: the k shortest simple paths (Yen's algorithm), or disjoint shortest
 * paths, each found after removing the edges of the earlier ones. If there is no path, finds the nearest miss.
 */
import type { AttackGraph } from '../columns/attackGraph.ts';
import { startOf } from '../columns/lookup.ts';
import type { NodeSet } from '../columns/nodeSet.ts';
import { type Cancel, throwIfCanceled } from './cancel.ts';
import { ALL_EDGES, type EdgeFilter } from './edgeFilter.ts';
import { reachableNodes } from './reachableNodes.ts';
import type { Path } from './shortestPaths.ts';

export interface DistinctOptions {
  readonly filter?: EdgeFilter;
  /** Maximum number of paths. */
  readonly count: number;
  /** Whether paths must not share edges. */
  readonly disjoint?: boolean;
  /** Nodes that no path passes through. */
  readonly blocked?: NodeSet;
  /**
   * Cost of an edge, an integer >= 0; the cheapest paths are first. Default: equal costs, so the shortest paths
   * are first.
   */
  readonly costOf?: (start: number, kind: number, end: number) => number;
  readonly cancel?: Cancel;
}

const CANCEL_INTERVAL = 1 << 14;

/** @returns paths in order of length, or of cost and length; empty if both nodes are the same @throws CanceledError */
export function distinctPaths(
  graph: AttackGraph,
  from: number,
  to: number,
  options: DistinctOptions,
): Path[] {
  if (from === to || options.blocked?.has(from) === true) return [];
  return options.disjoint === true
    ? disjointPaths(graph, from, to, options)
    : loopless(graph, from, to, options);
}

function disjointPaths(graph: AttackGraph, from: number, to: number, options: DistinctOptions): Path[] {
  const taken = new Set<number>();
  const found: Path[] = [];
  while (found.length < options.count) {
    const path = firstPath(graph, from, to, { ...options, edges: taken, nodes: new Set() });
    if (path === undefined) break;
    found.push(path);
    for (const edge of path.edges) taken.add(edge);
  }
  return found;
}

function loopless(graph: AttackGraph, from: number, to: number, options: DistinctOptions): Path[] {
  const first = firstPath(graph, from, to, { ...options, edges: new Set(), nodes: new Set() });
  if (first === undefined) return [];
  const { costOf } = options;
  const costOfPath = ({ nodes, edges }: Path): number =>
    costOf === undefined
      ? 0
      : edges.reduce((sum, edge, at) => sum + costOf(nodes[at], graph.out.kinds[edge], nodes[at + 1]), 0);
  const found = [first];
  const candidates = new Map<string, Path>();
  while (found.length < options.count) {
    const last = found[found.length - 1];
    for (let at = 0; at < last.edges.length; at++) {
      const root = last.edges.subarray(0, at);
      // Paths with the same prefix continue differently, and do not revisit nodes.
      const edges = new Set(
        found.filter((path) => sameStart(path.edges, root)).map((path) => path.edges[at]),
      );
      const nodes = new Set(last.nodes.subarray(0, at));
      const spur = firstPath(graph, last.nodes[at], to, { ...options, edges, nodes });
      if (spur === undefined) continue;
      const path = {
        nodes: Uint32Array.of(...last.nodes.subarray(0, at), ...spur.nodes),
        edges: Uint32Array.of(...root, ...spur.edges),
      };
      candidates.set(path.edges.join(), path);
    }
    for (const path of found) candidates.delete(path.edges.join());
    const [next] = [...candidates.values()].sort((a, b) => costOfPath(a) - costOfPath(b) || byLength(a, b));
    if (next === undefined) break;
    found.push(next);
  }
  return found;
}

const sameStart = (edges: Uint32Array, root: Uint32Array): boolean =>
  root.every((edge, at) => edges[at] === edge);

function byLength(a: Path, b: Path): number {
  const difference = a.edges.length - b.edges.length;
  if (difference !== 0) return difference;
  const at = a.edges.findIndex((edge, place) => edge !== b.edges[place]);
  return a.edges[at] - b.edges[at];
}

interface Bans extends DistinctOptions {
  readonly edges: ReadonlySet<number>;
  readonly nodes: ReadonlySet<number>;
}

/** Finds a shortest path without banned nodes and edges; visits nodes in ascending order. */
function firstPath(graph: AttackGraph, from: number, to: number, bans: Bans): Path | undefined {
  if (bans.costOf !== undefined) return cheapestPath(graph, from, to, bans, bans.costOf);
  const { filter = ALL_EDGES, edges: bannedEdges, nodes: bannedNodes, blocked, cancel } = bans;
  const { offsets, neighbors, kinds } = graph.out;
  const cameBy = new Map<number, number>([[from, -1]]);
  const queue = [from];
  for (const [count, node] of queue.entries()) {
    if (count % CANCEL_INTERVAL === 0) throwIfCanceled(cancel);
    for (let edge = offsets[node]; edge < offsets[node + 1]; edge++) {
      const next = neighbors[edge];
      if (filter.allows[kinds[edge]] === 0 || cameBy.has(next)) continue;
      if (bannedEdges.has(edge) || bannedNodes.has(next) || blocked?.has(next) === true) continue;
      cameBy.set(next, edge);
      if (next === to) return trace(graph, to, cameBy);
      queue.push(next);
    }
  }
  return undefined;
}

/** Like `firstPath`, with edge costs; visits nodes in order of cost. */
function cheapestPath(
  graph: AttackGraph,
  from: number,
  to: number,
  { filter = ALL_EDGES, edges: bannedEdges, nodes: bannedNodes, blocked, cancel }: Bans,
  costOf: NonNullable<DistinctOptions['costOf']>,
): Path | undefined {
  const { offsets, neighbors, kinds } = graph.out;
  const costs = new Map<number, number>([[from, 0]]);
  const cameBy = new Map<number, number>([[from, -1]]);
  const settled = new Set<number>();
  const buckets: number[][] = [[from]];
  for (let cost = 0; cost < buckets.length; cost++) {
    for (const node of buckets[cost] ?? []) {
      if (settled.has(node)) continue;
      settled.add(node);
      if (settled.size % CANCEL_INTERVAL === 0) throwIfCanceled(cancel);
      if (node === to) return trace(graph, to, cameBy);
      for (let edge = offsets[node]; edge < offsets[node + 1]; edge++) {
        const next = neighbors[edge];
        if (filter.allows[kinds[edge]] === 0 || settled.has(next)) continue;
        if (bannedEdges.has(edge) || bannedNodes.has(next) || blocked?.has(next) === true) continue;
        const total = cost + costOf(node, kinds[edge], next);
        if (total >= (costs.get(next) ?? Number.POSITIVE_INFINITY)) continue;
        costs.set(next, total);
        cameBy.set(next, edge);
        buckets[total] ??= [];
        buckets[total].push(next);
      }
    }
  }
  return undefined;
}

function trace(graph: AttackGraph, to: number, cameBy: ReadonlyMap<number, number>): Path {
  const edges: number[] = [];
  const nodes = [to];
  for (let edge = cameBy.get(to) ?? -1; edge !== -1; edge = cameBy.get(nodes[0]) ?? -1) {
    edges.unshift(edge);
    nodes.unshift(startOf(graph, edge));
  }
  return { nodes: Uint32Array.from(nodes), edges: Uint32Array.from(edges) };
}

export interface NearMiss {
  /** Nodes reachable from the start, including the start. */
  readonly ahead: NodeSet;
  /** Nodes that reach the end, including the end. */
  readonly behind: NodeSet;
  /** The shortest chain of edges, of any kind and direction, between both nodes; empty if they are not connected. */
  readonly gap: readonly number[];
}

/**
 * Explains why there is no path: the nodes that each side reaches, and the shortest chain of edges of any kind
 * between the sides.
 */
export function nearMiss(
  graph: AttackGraph,
  from: number,
  to: number,
  { filter = ALL_EDGES, blocked, cancel }: Pick<DistinctOptions, 'filter' | 'blocked' | 'cancel'> = {},
): NearMiss {
  const options = { filter, cancel, ...(blocked && { blocked }) };
  const ahead = reachableNodes(graph, [from], options);
  const behind = reachableNodes(graph, [to], { direction: 'in', ...options });
  const cameFrom = new Map<number, number>();
  const queue = [...ahead];
  for (const node of queue) cameFrom.set(node, -1);
  for (const [count, node] of queue.entries()) {
    if (count % CANCEL_INTERVAL === 0) throwIfCanceled(cancel);
    if (behind.has(node)) {
      const gap = [node];
      for (let before = cameFrom.get(node) ?? -1; before !== -1; before = cameFrom.get(before) ?? -1)
        gap.unshift(before);
      return { ahead, behind, gap };
    }
    for (const rows of [graph.out, graph.in]) {
      for (let at = rows.offsets[node]; at < rows.offsets[node + 1]; at++) {
        const next = rows.neighbors[at];
        if (cameFrom.has(next) || blocked?.has(next) === true) continue;
        cameFrom.set(next, node);
        queue.push(next);
      }
    }
  }
  return { ahead, behind, gap: [] };
}
