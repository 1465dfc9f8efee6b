/** Finds the objects that have an attack path to members of a zone in their own forest, for all forests at once. */
import { attackSteps } from '@clew/analysis';
import { type AttackGraph, NO_NODE } from '@clew/graph';
import type { Meter } from '../meter.ts';

/** Number of forests per traversal. */
const BITS = 32;

/**
 * @param graph of attack paths
 * @param members of the zone
 * @param forestOf the forest of a node, or `NO_NODE`
 * @returns whether a node reaches a member in its forest
 */
export function exposureFinder(
  graph: AttackGraph,
  members: readonly number[],
  forestOf: (node: number) => number,
  meter: Meter,
): (node: number) => boolean {
  const byForest = Map.groupBy(members, forestOf);
  byForest.delete(NO_NODE);
  const forests = [...byForest.keys()];
  const placeOf = new Map(forests.map((node, place) => [node, place]));
  const walks: Uint32Array[] = [];
  for (let first = 0; first < forests.length; first += BITS) {
    const groups = forests.slice(first, first + BITS).map((node) => byForest.get(node) ?? []);
    walks.push(reachingGroups(graph, groups, meter));
  }
  return (node) => {
    const place = placeOf.get(forestOf(node));
    return place !== undefined && ((walks[Math.floor(place / BITS)][node] >>> (place % BITS)) & 1) === 1;
  };
}

/** @returns a bit per node for each group that it reaches: a node is visited again when it reaches another one */
function reachingGroups(
  graph: AttackGraph,
  groups: readonly (readonly number[])[],
  meter: Meter,
): Uint32Array {
  const { offsets, neighbors, kinds } = graph.in;
  const { allows } = attackSteps(graph);
  const reached = new Uint32Array(graph.nodeCount);
  let level = new Set<number>();
  for (const [bit, group] of groups.entries()) {
    for (const node of group) {
      reached[node] |= 1 << bit;
      level.add(node);
    }
  }
  while (level.size > 0) {
    const next = new Set<number>();
    for (const node of level) {
      meter.spend(1 + offsets[node + 1] - offsets[node]);
      for (let at = offsets[node]; at < offsets[node + 1]; at++) {
        const start = neighbors[at];
        if (allows[kinds[at]] === 0 || (reached[node] & ~reached[start]) === 0) continue;
        reached[start] |= reached[node];
        next.add(start);
      }
    }
    level = next;
  }
  return reached;
}
