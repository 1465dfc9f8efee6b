/** Costs of repairs in texts. Rule: `docs/plan.md#repairs`. */

/** Unit after the first number in a text. */
export const COST_UNIT = 'work and risk for you, from 1 for one change of no risk';

/** @returns a text with at most one decimal; integers have none */
export const costText = (cost: number): string => String(Math.round(cost * 10) / 10);
