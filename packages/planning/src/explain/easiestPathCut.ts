/**
 * Computes how many relations must be removed before the easiest path of a node gets harder: a minimum cut over the relations on its
 * easiest paths. Steps without effort cannot be cut, because their action is counted elsewhere.
 *
 * Rule: `docs/rules.md#attack-effort`.
 */
import { environments } from '@clew/analysis';
import { type AttackGraph, UNREACHABLE } from '@clew/graph';
import type { EffortTable } from '@clew/model';
import type { AnalyzedWorld } from '../simulation/simulate.ts';
import { placeOf } from './easiestPath.ts';
import { effortSearch } from './zoneEfforts.ts';

/** Cap of the result. */
export const MAX_WAYS = 100;

/** A residual arc from the tail of its relation to `to`, with its residual capacity and its reverse arc. */
interface Arc {
  readonly to: number;
  room: number;
  readonly back: number;
}

/**
 * @param environment place; default: the environment of the start
 * @returns 0 if there is no path or no step of it has effort; at most `MAX_WAYS` @throws CanceledError
 */
export function easiestPathCut(
  world: AnalyzedWorld,
  zone: number,
  start: number,
  { table, environment }: { readonly table?: EffortTable; readonly environment?: number } = {},
): number {
  const place = environment ?? world.context.use(environments).of[start];
  const search = effortSearch(world, zone, place, table);
  if (search === undefined) return 0;
  const { costs, steps } = search;
  if (costs[start] === UNREACHABLE || costs[start] === 0) return 0;
  return countWays(world.context.graph, costs, steps.ofPlace, start);
}

function countWays(graph: AttackGraph, costs: Uint32Array, ofPlace: Uint8Array, start: number): number {
  const { offsets, neighbors, kinds } = graph.out;
  const arcs: Arc[] = [];
  const arcsOf = new Map<number, number[]>([[start, []]]);
  /** Members of the zone are contracted into one sink. */
  const nodeOf = (node: number): number => (costs[node] === 0 ? -1 : node);
  const pending = [start];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    for (let at = offsets[node]; at < offsets[node + 1]; at++) {
      const end = neighbors[at];
      if (costs[end] === UNREACHABLE || costs[end] > costs[node]) continue;
      const effort = ofPlace[placeOf(graph.in, node, kinds[at], end)];
      if (effort + costs[end] !== costs[node]) continue;
      const to = nodeOf(end);
      if (!arcsOf.has(to)) {
        arcsOf.set(to, []);
        if (to !== -1) pending.push(to);
      }
      const count = arcs.length;
      arcs.push(
        { to, room: effort === 0 ? MAX_WAYS : 1, back: count + 1 },
        { to: node, room: 0, back: count },
      );
      (arcsOf.get(node) as number[]).push(count);
      (arcsOf.get(to) as number[]).push(count + 1);
    }
  }
  let ways = 0;
  while (ways < MAX_WAYS && augment(arcs, arcsOf, start)) ways++;
  return ways;
}

/** Augments the flow by one unit. @returns false if no augmenting path exists */
function augment(arcs: Arc[], arcsOf: ReadonlyMap<number, readonly number[]>, start: number): boolean {
  const cameBy = new Map<number, number>([[start, -1]]);
  const queue = [start];
  for (const node of queue) {
    for (const at of arcsOf.get(node) as readonly number[]) {
      const { to, room } = arcs[at];
      if (room === 0 || cameBy.has(to)) continue;
      cameBy.set(to, at);
      queue.push(to);
    }
    if (!cameBy.has(-1)) continue;
    for (let at = cameBy.get(-1) as number; at !== -1; at = cameBy.get(arcs[arcs[at].back].to) as number) {
      arcs[at].room--;
      arcs[arcs[at].back].room++;
    }
    return true;
  }
  return false;
}
