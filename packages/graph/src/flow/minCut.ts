/**
 * Minimum cut: the cheapest set of relations whose removal leaves no attack path from any source to any target.
 */
import type { AttackGraph } from '../columns/attackGraph.ts';
import { findEdge } from '../columns/lookup.ts';
import { NodeSet } from '../columns/nodeSet.ts';
import { Uint32List } from '../columns/uint32List.ts';
import { type Cancel, throwIfCanceled } from '../search/cancel.ts';
import { ALL_EDGES, type EdgeFilter } from '../search/edgeFilter.ts';
import { beginWalk } from '../search/expand.ts';
import { type Scratch, withScratch } from '../search/scratch.ts';
import { MaximumFlow } from './maximumFlow.ts';
import { type CapacityOf, ResidualGraph } from './residualGraph.ts';

export interface CutOptions {
  /** Edges that paths may use. Default: every edge. */
  readonly filter?: EdgeFilter;
  /** Nodes that no path enters. */
  readonly blocked?: NodeSet;
  /**
   * Cost of removing an edge, > 0; `Infinity` for one that cannot be removed. Sums must stay exact, so costs
   * are best whole numbers. Default: 1 each.
   */
  readonly costOf?: CapacityOf;
  /** Which of several cheapest cuts: the one next to the sources or to the targets. Default: `targets`. */
  readonly nearest?: 'sources' | 'targets';
  readonly cancel?: Cancel;
}

export interface Cut {
  /** Sum of the costs; `Infinity` when no removal separates sources and targets. */
  readonly cost: number;
  /** Numbers of the edges to remove, ascending; empty when nothing need or can be removed. */
  readonly edges: Uint32Array;
}

const INSEPARABLE: Cut = { cost: Number.POSITIVE_INFINITY, edges: new Uint32Array(0) };
/** Nodes handled between two checks of the cancel token. */
const CANCEL_INTERVAL = 1 << 12;

/**
 * Only one of the cheapest cuts is nearest, so the same graph gives the same answer.
 * @throws CanceledError
 */
export function findMinCut(
  graph: AttackGraph,
  sources: Iterable<number>,
  targets: Iterable<number>,
  options: CutOptions = {},
): Cut {
  const blocked = options.blocked ?? NodeSet.empty(graph.nodeCount);
  const from = NodeSet.of(graph.nodeCount, sources).andNot(blocked);
  const to = NodeSet.of(graph.nodeCount, targets).andNot(blocked);
  if (from.intersects(to)) return INSEPARABLE;
  const { filter = ALL_EDGES, costOf = () => 1, cancel } = options;
  const residual = new ResidualGraph(graph, filter.allows, blocked.bitmap(), costOf);
  return withScratch(graph.nodeCount, (scratch) => {
    if (options.costOf !== undefined && hasEndlessWay(graph, residual, from, to, scratch, cancel)) {
      return INSEPARABLE;
    }
    const { nodeCount, in: rows } = graph;
    const steps = { nodeCount, offsets: rows.offsets, starts: rows.neighbors };
    const maximum = new MaximumFlow(steps, residual, from, to, scratch, cancel);
    maximum.run();
    const targetSide = maximum.targetSide();
    const side =
      options.nearest === 'sources'
        ? NodeSet.all(graph.nodeCount).andNot(sourceSide(graph, residual, from, scratch, cancel))
        : targetSide;
    return { cost: maximum.flow, edges: edgesInto(graph, residual, side) };
  });
}

/** @returns whether a way of edges that cannot be removed leads from a source to a target. */
function hasEndlessWay(
  graph: AttackGraph,
  residual: ResidualGraph,
  sources: NodeSet,
  targets: NodeSet,
  scratch: Scratch,
  cancel: Cancel | undefined,
): boolean {
  const { offsets, neighbors } = graph.in;
  const reached = walk(graph, targets, scratch, cancel, (node, reach) => {
    for (let place = offsets[node]; place < offsets[node + 1]; place++) {
      if (residual.roomAt(place, node) === Number.POSITIVE_INFINITY) reach(neighbors[place]);
    }
  });
  return reached.intersects(sources);
}

/** @returns the nodes that more flow from a source could reach. */
function sourceSide(
  graph: AttackGraph,
  residual: ResidualGraph,
  sources: NodeSet,
  scratch: Scratch,
  cancel: Cancel | undefined,
): NodeSet {
  const { offsets, neighbors } = graph.out;
  return walk(graph, sources, scratch, cancel, (node, reach) => {
    for (let edge = offsets[node]; edge < offsets[node + 1]; edge++) {
      if (residual.roomOfOutgoing(edge, node) > 0) reach(neighbors[edge]);
    }
    for (const origin of residual.flowOrigins(node)) reach(origin);
  });
}

function walk(
  graph: AttackGraph,
  from: NodeSet,
  scratch: Scratch,
  cancel: Cancel | undefined,
  reachFrom: (node: number, reach: (next: number) => void) => void,
): NodeSet {
  const { stamps, queue } = scratch;
  const { visited, used: fromCount } = beginWalk(graph, from, undefined, scratch);
  let used = fromCount;
  const reach = (next: number): void => {
    if (stamps[next] === visited) return;
    stamps[next] = visited;
    queue[used++] = next;
  };
  for (let at = 0; at < used; at++) {
    if (at % CANCEL_INTERVAL === 0) throwIfCanceled(cancel);
    reachFrom(queue[at], reach);
  }
  return NodeSet.of(graph.nodeCount, queue.subarray(0, used));
}

/** @returns the numbers of the usable edges that lead into `side`. */
function edgesInto(graph: AttackGraph, residual: ResidualGraph, side: NodeSet): Uint32Array {
  const { offsets, neighbors, kinds } = graph.in;
  const isInside = side.bitmap();
  const edges = new Uint32List();
  side.forEach((node) => {
    for (let place = offsets[node]; place < offsets[node + 1]; place++) {
      const start = neighbors[place];
      if (((isInside[start >>> 5] >>> (start & 31)) & 1) === 1) continue;
      // All flow across a minimum cut fills its edges, and those that may not be used carry none.
      if (residual.flowAt(place) > 0) edges.push(findEdge(graph, start, kinds[place], node));
    }
  });
  return edges.toSortedArray();
}
