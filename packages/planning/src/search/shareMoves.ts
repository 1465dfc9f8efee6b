/**
 * Rounds of a priced cut at one price (`PricedCut`): between two, the shares of each cost move to where the flow was, far at first and less
 * once they are near.
 */
import type { PricedCut } from '@clew/graph';

/** Rounds of a search for cards; a bound takes more. */
export const CARD_ROUNDS = 4;
/** Rounds with the large move. */
export const EARLY_ROUNDS = 3;
const EARLY_MOVE = 0.7;
const LATER_MOVE = 0.4;

/** @param round the one that was run last, from 0 */
export function moveShares(cut: PricedCut, round: number): void {
  cut.moveShares(round < EARLY_ROUNDS ? EARLY_MOVE : LATER_MOVE);
}

/** The large move, whatever the round. */
export function moveSharesFar(cut: PricedCut): void {
  cut.moveShares(EARLY_MOVE);
}
