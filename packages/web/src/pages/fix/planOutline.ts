/** Figures of a whole plan from its outline, independent of the number of shown cards. */
import type { PlanRecord } from '@clew/api';
import { principalsText, shareOf } from '@clew/model';
import { counted } from '../../text/formats.ts';
import { exposureOf } from './planFigures.ts';

type Outlined = Pick<PlanRecord, 'before' | 'outline'>;

/** The figure that the goal limits: the highest exposure of an environment. */
export const highestIn = (exposures: PlanRecord['before']): number =>
  exposures.reduce((most, { exposure }) => Math.max(most, exposure), 0);

export interface Stair {
  /** Share of all users and computers outside the zone that can reach the zone. */
  readonly share: number;
  readonly text: string;
  /** Highest share of an environment. */
  readonly highest: number;
}

/** @returns the exposure before the first card, and after each card; empty if figures are hidden */
export function stairsOf({ before, outline }: Outlined): readonly Stair[] {
  const all = [before, ...outline.map(({ exposure }) => exposure)];
  return all.every((one) => exposureOf(one).all > 0) ? all.map(stairOf) : [];
}

function stairOf(exposures: PlanRecord['before']): Stair {
  const { exposed, all } = exposureOf(exposures);
  return { share: exposed / all, text: shareOf(exposed, all), highest: highestIn(exposures) };
}

/**
 * The effect of a card that a finding refers to by number; `undefined` if the plan may differ from the plan of the finding,
 * because another is in progress or the card ends at another exposure.
 * @param exposureAfter share after the card, as recorded for the finding
 */
export function effectOfCard(
  plan: Outlined & Pick<PlanRecord, 'computing'>,
  number: number,
  exposureAfter: number | undefined,
): { readonly before: number; readonly after: number } | undefined {
  const stairs = plan.computing === null ? stairsOf(plan) : [];
  const [before, after] = [stairs[number - 1]?.share, stairs[number]?.share];
  if (before === undefined || after === undefined || exposureAfter === undefined) return undefined;
  if (after >= before || Math.abs(after - exposureAfter) >= 1 / SCALE) return undefined;
  return { before, after };
}

export interface PlanTotals {
  readonly cards: number;
  readonly repairs: number;
  readonly cost: number;
}

export const totalsOf = ({ outline }: Pick<PlanRecord, 'outline'>): PlanTotals => ({
  cards: outline.length,
  repairs: outline.reduce((sum, { repair_count }) => sum + repair_count, 0),
  cost: outline.reduce((sum, { cost }) => sum + cost, 0),
});

/** The goal in words: it applies to each environment, not to their sum. @param goal percent */
export const goalText = (goal: number, environments: number): string =>
  environments === 1 ? `at most ${goal}%` : `at most ${goal}% of each environment`;

/** Describes the joint effect of all cards, and whether it meets the goal. @param goal percent */
export function planSentence(plan: Pick<PlanRecord, 'before' | 'outline' | 'end'>, goal: number): string {
  const { outline, before, end } = plan;
  const last = outline.at(-1)?.exposure;
  if (last === undefined || last.length === 0) return '';
  const { exposed, all } = exposureOf(last);
  const { cards, repairs } = totalsOf(plan);
  const what = `${counted(cards, 'card')} with ${counted(repairs, 'repair')} ${cards === 1 ? 'brings' : 'bring'} that to ${shareOf(exposed, all)}`;
  const wanted = goalText(goal, before.length);
  const most = before.length === 1 ? '' : `, and no environment above ${percentOf(highestIn(last))}`;
  if (end.reason === 'goal') {
    const met = outline.findIndex(({ exposure }) => highestIn(exposure) <= goal / 100) + 1;
    const doors =
      met > 0 && met < cards ? ` Card ${met} meets it; the cards after it close paths of one action.` : '';
    return `${what}${most}. The goal is ${wanted}.${doors}`;
  }
  if (end.reason === 'unfinished') return `So far, ${what}. The search for more cards continues.`;
  const rest = `${principalsText(exposed)} can still reach it`;
  return `${what}, the best result known: ${rest}. The goal of ${wanted} is not reached.`;
}

/** @param share from 0 to 1 @returns the percentage with one decimal, rounded like `shareOf` */
const percentOf = (share: number): string => shareOf(Math.round(share * SCALE), SCALE);
const SCALE = 1_000_000;
