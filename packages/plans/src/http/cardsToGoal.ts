/**
 * The cards of a stored plan for a higher goal. Figures of a card include all cards before it, so the answer is a prefix of the list: up to
 * the card that meets the goal, extended to the last card that closes one-action paths, which count for any goal.
 *
 * Rule: `docs/plan.md#order`.
 */
import type { CardRecord } from '@clew/api';

type Measured = Pick<CardRecord, 'exposure' | 'effort'>;

/** @param goal share of each environment that may stay exposed, higher than that of the plan */
export function cardsTo<Card extends Measured>(cards: readonly Card[], goal: number): readonly Card[] {
  const met = cards.findIndex((card) => isMet(card, goal));
  if (met < 0) return cards;
  let last = met;
  for (let at = met + 1; at < cards.length; at++)
    if (oneAction(cards[at] as Card) < oneAction(cards[last] as Card)) last = at;
  return cards.slice(0, last + 1);
}

/** Whether the goal is met after the card. */
export const isMet = ({ exposure }: Pick<Measured, 'exposure'>, goal: number): boolean =>
  exposure.length > 0 && exposure.every((one) => one.exposure <= goal);

/** Users and computers that need only one action after the card; 0 if unknown. */
const oneAction = ({ effort }: Measured): number =>
  effort.reduce((sum, { one_action_count }) => sum + one_action_count, 0);
