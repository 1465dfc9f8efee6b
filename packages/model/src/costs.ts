/** Costs of repairs in texts. Rule: `docs/plan.md#repairs`. */

/** The scale of one repair, which follows the first number in a text. */
export const COST_UNIT = '1 is one change without risk, 4 is a project';

/** The scale of the cost of several repairs, where a sum of 4 is not a project. */
export const COST_SUM_UNIT = 'sum of all repairs; 1 is one change without risk';

/** @returns a text with at most one decimal; integers have none */
export const costText = (cost: number): string => String(Math.round(cost * 10) / 10);

/** The words for the cost of one repair, by its rounded value; the last word also applies to higher values. */
const COST_WORDS = ['low', 'moderate', 'high', 'very high'] as const;
export const MAX_COST_LEVEL = COST_WORDS.length;

/** @returns a place on the scale, from 1 to {@link MAX_COST_LEVEL} */
export const costLevel = (cost: number): number => Math.min(MAX_COST_LEVEL, Math.max(1, Math.round(cost)));

/** @param cost of one repair: the words do not fit a sum @returns "2.1 (moderate)" */
export const costWords = (cost: number): string => `${costText(cost)} (${COST_WORDS[costLevel(cost) - 1]})`;
