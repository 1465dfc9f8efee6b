/** Costs of repairs in texts. Rule: `docs/plan.md#repairs`. */

/** Follows the number where a text has one first. */
export const COST_UNIT = 'work and risk for you, from 1 for one change of no risk';

/** @returns at most one decimal, and none of a whole number */
export const costText = (cost: number): string => String(Math.round(cost * 10) / 10);
