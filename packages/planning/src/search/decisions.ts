/**
 * If a plan does not meet its goal: changes that would lead further toward it. They break something or keep few principals out,
 * so they are not on cards. They are questions for users who know which access is needed.
 *
 * Rule: `docs/plan.md#decisions`.
 */

import type { PlanDecision } from '../packages/plannedTypes.ts';
import { affectedByAll } from '../simulation/affected.ts';
import type { AnalyzedWorld, ZoneExposure } from '../simulation/simulate.ts';
import { finish } from '../steps.ts';
import { WorkTime } from '../workTime.ts';
import { totalOf } from './planScope.ts';
import type { PlanSearch } from './planSearch.ts';

/** Maximum number of decisions of a plan. */
const MAX_DECISIONS = 5;
/** CPU time limit of the search after the last card. */
const MAX_SEARCH_MS = 10_000;

export interface DecisionsAsked {
  /** Places of the packages of all cards. */
  readonly settled: readonly (readonly number[])[];
  readonly goal: number;
  readonly isGoal: (exposures: readonly ZoneExposure[]) => boolean;
}

/** @returns an empty list if no further change is known */
export function findDecisions(
  { context }: AnalyzedWorld,
  search: PlanSearch,
  { settled, goal, isGoal }: DecisionsAsked,
): PlanDecision[] {
  const time = new WorkTime(MAX_SEARCH_MS);
  const found = finish(search.find(goal, { settled, banned: new Set(), time, isBeyond: true }));
  const decisions: PlanDecision[] = [];
  for (const card of found.slice(0, MAX_DECISIONS)) {
    const exposures = search.exposuresAfter(card);
    const packages = card.packages.map((place) => search.priced(place));
    decisions.push({
      ...{ packages, cost: card.cost, exposures },
      ...{ exposedBefore: card.exposedBefore, exposedAfter: totalOf(exposures) },
      affected: affectedByAll(context, search.repairs(card.packages)),
      meetsGoal: isGoal(exposures),
    });
    if (isGoal(exposures)) break;
  }
  return decisions;
}
