/**
 * Rounds of a priced cut at one price (`PricedCut`): between rounds, the shares of each cost move toward the flow, by a large part at first
 * and a smaller part later.
 */
import type { PricedCut } from '@clew/graph';

/** Rounds of a search for cards; a bound runs more. */
export const CARD_ROUNDS = 4;
/** Rounds with the large move. */
export const EARLY_ROUNDS = 3;
const EARLY_MOVE = 0.7;
const LATER_MOVE = 0.4;

/** @param round number of the last round, from 0 */
export function moveShares(cut: PricedCut, round: number): void {
  cut.moveShares(round < EARLY_ROUNDS ? EARLY_MOVE : LATER_MOVE);
}

/** Makes the large move in any round. */
export function moveSharesFar(cut: PricedCut): void {
  cut.moveShares(EARLY_MOVE);
}
