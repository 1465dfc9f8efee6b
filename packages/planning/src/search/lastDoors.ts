/**
 * Packages that close the last one-action paths at the end of a plan, even if the goal is met: each principal with such a path is one
 * password away from the zone. Only packages that remove a step of such a path are examined.
 *
 * Rule: `docs/plan.md#order`.
 */
import { type Cancel, type LabeledSteps, uint8s } from '@clew/graph';
import type { WorkPackage } from '../packages/packageOrder.ts';
import type { WorkTime } from '../workTime.ts';
import { LazyCandidates } from './candidates.ts';
import type { PlanScope } from './planScope.ts';
import { SteepestSearch } from './steepestCard.ts';

export interface LastDoors {
  readonly scope: Pick<PlanScope, 'graph' | 'targets' | 'groups'>;
  readonly packages: readonly WorkPackage[];
  /** Places of packages that are already taken. */
  readonly settled: readonly number[];
  /** Places of excluded packages. */
  readonly banned: ReadonlySet<number>;
  /** Whether one action is sufficient after the taken packages; indexed by node of the graph. */
  readonly isOneAction: Uint8Array;
  readonly time?: WorkTime | undefined;
  readonly cancel?: Cancel | undefined;
}

/** Maximum number of sets to search. */
const MAX_DOORS = 20;

/** @returns the packages of each set, as places, ordered by principals kept out per cost */
export function doorSets({
  scope: { graph, targets, groups },
  packages,
  settled,
  banned,
  isOneAction,
  time,
  cancel,
}: LastDoors): number[][] {
  const { steps } = graph;
  const counted = groups.map(({ realm, weights }) => ({
    realm,
    weights: weights.map((weight, node) => (isOneAction[node] === 1 ? weight : 0)),
  }));
  if (counted.every(({ weights }) => weights.every((weight) => weight === 0))) return [];
  const isTaken = new Set(settled);
  const near = labelsNear(steps, targets, isOneAction);
  const places = packages.flatMap(({ repairs, isKept }, place) =>
    !isKept && !isTaken.has(place) && !banned.has(place) && repairs.some((repair) => near[repair] === 1)
      ? [place]
      : [],
  );
  if (places.length === 0) return [];
  const source = new LazyCandidates({ steps, targets, groups: counted, packages, cancel });
  const candidates = source.restricted(places, settled);
  const search = new SteepestSearch(candidates, cancel, time);
  const taken = new Set<number>();
  const found: number[][] = [];
  while (found.length < MAX_DOORS) {
    const set = search.find({ taken });
    if (set === undefined) break;
    for (const label of set.labels) taken.add(label);
    found.push(candidates.placesOf(set.labels));
  }
  return found;
}

/** Labels of the steps from one-action nodes to the zone, including intermediate nodes of ways. */
function labelsNear(
  { nodeCount, labelCount, offsets, starts, setOf, sets }: LabeledSteps,
  targets: PlanScope['targets'],
  isOneAction: Uint8Array,
): Uint8Array {
  const found = uint8s(labelCount);
  const isSeen = uint8s(nodeCount);
  const pending: number[] = [];
  const visit = (node: number): void => {
    if (isSeen[node] === 1) return;
    isSeen[node] = 1;
    pending.push(node);
  };
  for (const own of targets) for (let at = 0; at < own.length; at++) visit(own[at]);
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    for (let at = offsets[node]; at < offsets[node + 1]; at++) {
      const start = starts[at];
      if (start < isOneAction.length && isOneAction[start] === 0) continue;
      for (const label of sets[setOf[at]]) found[label] = 1;
      visit(start);
    }
  }
  return found;
}
