/**
 * Finds the path with the least effort, the effort of each step, and the number of equally easy paths: while there are several,
 * closing one does not raise the effort.
 *
 * Rule: `docs/rules.md#attack-effort`.
 */
import { environments, stepEfforts } from '@clew/analysis';
import {
  type AttackGraph,
  cheapestSteps,
  cheapestWay,
  findEdge,
  NO_STEP,
  rowOf,
  type StepCosts,
} from '@clew/graph';
import type { EffortTable } from '@clew/model';
import type { AnalyzedWorld } from '../simulation/simulate.ts';
import { effortSearch } from './zoneEfforts.ts';

export interface EffortStep {
  readonly start: number;
  readonly kind: number;
  readonly end: number;
  /** Index of the edge. */
  readonly edge: number;
  readonly effort: number;
}

export interface EffortPath {
  /** Sum of the steps. */
  readonly effort: number;
  /** Steps from the start into the zone; empty for a member of the zone. */
  readonly steps: readonly EffortStep[];
}

/**
 * @param environment place; default: the environment of the start
 * @returns undefined if there is no path @throws CanceledError
 */
export function easiestPath(
  world: AnalyzedWorld,
  zone: number,
  start: number,
  { table, environment }: { readonly table?: EffortTable; readonly environment?: number } = {},
): EffortPath | undefined {
  const { graph } = world.context;
  const place = environment ?? world.context.use(environments).of[start];
  const search = effortSearch(world, zone, place, table);
  const places = search && cheapestWay(graph, search, start);
  if (search === undefined || places === undefined) return undefined;
  return { effort: search.costs[start], steps: places.map((at) => stepAt(graph, search.steps, at)) };
}

/** @returns undefined if there is no path, or if both nodes are the same @throws CanceledError */
export function easiestBetween(
  { context, options }: AnalyzedWorld,
  start: number,
  end: number,
  table?: EffortTable,
): EffortPath | undefined {
  const { graph, cancel } = context;
  const steps = stepEfforts(context, options.now, table);
  const search = cheapestSteps(graph, [end], steps, cancel);
  const places = cheapestWay(graph, search, start) ?? [];
  if (places.length === 0) return undefined;
  return { effort: search.costs[start], steps: places.map((at) => stepAt(graph, steps, at)) };
}

/** @returns the effort of each edge, by its ends and kind, for searches between two nodes */
export function effortOfEdges(
  { context, options }: AnalyzedWorld,
  table?: EffortTable,
): (start: number, kind: number, end: number) => number {
  const { ofPlace } = stepEfforts(context, options.now, table);
  const rows = context.graph.in;
  return (start, kind, end) => ofPlace[placeOf(rows, start, kind, end)];
}

/** @returns the effort of each edge, by its number, in shared memory; `NO_STEP` for edges that are not steps */
export function effortsByEdge({ context, options }: AnalyzedWorld, table?: EffortTable): Uint8Array {
  const { graph } = context;
  const { ofPlace } = stepEfforts(context, options.now, table);
  const { offsets, neighbors, kinds } = graph.in;
  const efforts = new Uint8Array(new SharedArrayBuffer(graph.edgeCount)).fill(NO_STEP);
  for (let end = 0; end < graph.nodeCount; end++)
    for (let at = offsets[end]; at < offsets[end + 1]; at++)
      if (ofPlace[at] !== NO_STEP) efforts[findEdge(graph, neighbors[at], kinds[at], end)] = ofPlace[at];
  return efforts;
}

/** @param at place in the incoming rows */
export function stepAt(graph: AttackGraph, { ofPlace }: StepCosts, at: number): EffortStep {
  const { offsets, neighbors, kinds } = graph.in;
  const [start, kind, end] = [neighbors[at], kinds[at], rowOf(offsets, at)];
  return { start, kind, end, edge: findEdge(graph, start, kind, end), effort: ofPlace[at] };
}

/** @returns the place of an edge in the incoming rows, which are sorted by (neighbor, kind) */
export function placeOf(
  { offsets, neighbors, kinds }: AttackGraph['in'],
  start: number,
  kind: number,
  end: number,
): number {
  let [low, high] = [offsets[end], offsets[end + 1]];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const isBefore = neighbors[middle] < start || (neighbors[middle] === start && kinds[middle] < kind);
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
}
