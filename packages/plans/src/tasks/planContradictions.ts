/**
 * Counts contradictions in a plan: the search and the simulation must agree, and every card must have an effect. The counts are
 * computed and stored with the plan, exported as the metric `clew_contradictions`, and logged.
 *
 * Rule: `docs/findings.md#contradictions`.
 */

import type { CardPathRecord } from '@clew/api';
import type { FirstCard, FirstPlan, PlanCard } from '@clew/planning';

/** Counts by kind. */
export interface PlanContradictions extends Readonly<Record<string, number>> {
  /** Cards of the search that the simulation contradicts; they are not shown. */
  readonly 'card that the simulation contradicts': number;
  /** Cards that neither close a finding nor reduce exposure. */
  readonly 'card without an effect': number;
  /** Paths that the card does not change although it should cut them. */
  readonly 'path that its card does not change': number;
}

/** @param paths paths of all cards, as displayed */
export function planContradictions(
  { cards, rejected }: Pick<FirstPlan, 'cards' | 'rejected'>,
  paths: readonly CardPathRecord[],
): PlanContradictions {
  return {
    'card that the simulation contradicts': rejected.length,
    'card without an effect': cards.filter(isIdle).length,
    'path that its card does not change': paths.filter(isSame).length,
  };
}

/** First cards have no known findings, so exposure is their only effect. */
const isIdle = (card: FirstCard | PlanCard): boolean =>
  card.packages.length === 0 ||
  (card.exposedAfter >= card.exposedBefore && ('closed' in card ? card.closed.length === 0 : true));

const isSame = ({ before, after }: CardPathRecord): boolean =>
  after !== null && stepsOf(before) === stepsOf(after);

const stepsOf = ({ nodes, steps }: CardPathRecord['before']): string =>
  JSON.stringify([nodes.map(({ object_id }) => object_id), steps.map(({ kind }) => kind)]);
