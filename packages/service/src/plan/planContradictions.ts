/**
 * What cannot be in a plan: the search and the simulation look at the same facts, and a card is there because it does something.
 * Counted when a plan is made, stored with it, in the metric `clew_contradictions`, and logged.
 *
 * Rule: `docs/findings.md#contradictions`.
 */
import type { Plan, PlanCard } from '@clew/analysis';

/** By kind. */
export interface PlanContradictions extends Readonly<Record<string, number>> {
  /** Cards of the search that the simulation contradicts: they are not shown. */
  readonly 'card that the simulation contradicts': number;
  /** Cards that close no finding and keep no one out. */
  readonly 'card without an effect': number;
}

export function planContradictions({
  cards,
  rejected,
}: Pick<Plan, 'cards' | 'rejected'>): PlanContradictions {
  return {
    'card that the simulation contradicts': rejected.length,
    'card without an effect': cards.filter(isIdle).length,
  };
}

const isIdle = ({ exposedBefore, exposedAfter, closed, packages }: PlanCard): boolean =>
  packages.length === 0 || (exposedAfter >= exposedBefore && closed.length === 0);
