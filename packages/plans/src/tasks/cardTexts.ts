/** Texts of cards: titles, effects and benefit, and why the plan ends. */

import type { CardRecord, EffortRecord, PackageRecord, PlanRecord } from '@clew/api';
import { counted, principalsText, shareOf } from '@clew/model';
import type { FirstCard } from '@clew/planning';

/** Minimum fall of exposure that is shown as the main effect. */
const ONE_POINT = 0.01;

/** Titles a card with the title of its only package, or with their number. The packages are listed next to it. */
export function cardTitle(packages: readonly Pick<PackageRecord, 'title'>[]): string {
  const [first] = packages;
  return packages.length === 1 && first !== undefined
    ? first.title
    : `Make these ${packages.length} changes together`;
}

export interface EffectFacts {
  readonly before: PlanRecord['before'];
  readonly after: PlanRecord['before'];
  readonly effortBefore: readonly EffortRecord[];
  readonly effortAfter: readonly EffortRecord[];
  /** Undefined if unknown; the text then omits it. */
  readonly closed: number | null;
  /** Custom checks whose findings are among these, with their counts. */
  readonly ofChecks: readonly { readonly title: string; readonly count: number }[];
}

/** Maximum number of checks named in the text of a card. */
const MAX_CHECKS = 2;

/** "Closes 10 findings of your check Agents that several people use." */
function checksText(ofChecks: EffectFacts['ofChecks']): string {
  const named = ofChecks
    .slice(0, MAX_CHECKS)
    .map(({ title, count }) => `${counted(count, 'finding')} of your check "${title}"`);
  const more = ofChecks.length - named.length;
  if (named.length === 0) return '';
  return ` Closes ${named.join(' and ')}${more > 0 ? `, and findings of ${counted(more, 'more check')}` : ''}.`;
}

/** Describes how figures change, and which findings of custom checks the card closes. */
export function cardEffect(facts: EffectFacts): CardRecord['effect'] {
  const { measure, text } = figureEffect(facts);
  return { measure, text: `${text}${checksText(facts.ofChecks)}` };
}

/** Exposure if it falls by at least a point, otherwise attack effort, then equally easy paths, then findings. */
function figureEffect(facts: EffectFacts): CardRecord['effect'] {
  const { before, after } = facts;
  const closed = facts.closed ?? 0;
  const [from, to] = [sumOf(before), sumOf(after)];
  const fewer = from.exposed - to.exposed;
  const falls = fewer > 0 && (isPoint(from, to) || before.some((one) => isPoint(one, entryOf(after, one))));
  if (falls) {
    const shares = `${shareOf(from.exposed, from.principals)} -> ${shareOf(to.exposed, to.principals)}`;
    return {
      measure: 'exposure',
      text: `Exposure ${shares}. ${principalsText(fewer)} ${fewer === 1 ? 'loses its path' : 'lose their path'}.`,
    };
  }
  const effort = effortText(facts);
  if (effort !== undefined) return { measure: 'effort', text: effort };
  const ways = waysText(facts);
  if (ways !== undefined) return { measure: 'ways', text: ways };
  if (closed > 0 && fewer === 0)
    return {
      measure: 'findings',
      text: `${counted(closed, 'finding')} ${closed === 1 ? 'closes' : 'close'}.`,
    };
  return {
    measure: 'principals',
    text: `${principalsText(fewer)} ${fewer === 1 ? 'loses its path' : 'lose their path'}${closed > 0 ? `; ${counted(closed, 'finding')} ${closed === 1 ? 'closes' : 'close'}` : ''}.`,
  };
}

interface Figures {
  readonly exposed: number;
  readonly principals: number;
}

const figures = ({ exposed_count, principal_count }: PlanRecord['before'][number]): Figures => ({
  exposed: exposed_count,
  principals: principal_count,
});

const sumOf = (all: PlanRecord['before']): Figures =>
  all
    .map(figures)
    .reduce(
      (sum, one) => ({ exposed: sum.exposed + one.exposed, principals: sum.principals + one.principals }),
      { exposed: 0, principals: 0 },
    );

function isPoint(from: Figures | PlanRecord['before'][number], to: Figures | undefined): boolean {
  const [one, other] = ['exposed_count' in from ? figures(from) : from, to ?? { exposed: 0, principals: 1 }];
  return one.principals > 0 && (one.exposed - other.exposed) / one.principals >= ONE_POINT;
}

const entryOf = (all: PlanRecord['before'], { environment_id }: PlanRecord['before'][number]) => {
  const found = all.find((one) => one.environment_id === environment_id);
  return found && figures(found);
};

/** Describes the increase: fewer principals that need only one action, or a higher typical effort in an environment. */
function effortText({ effortBefore, effortAfter }: EffectFacts): string | undefined {
  const parts: string[] = [];
  const one = (all: readonly EffortRecord[]) =>
    all.reduce((sum, { one_action_count }) => sum + one_action_count, 0);
  const [from, to] = [one(effortBefore), one(effortAfter)];
  if (to < from)
    parts.push(`For ${from.toLocaleString('en-US')} -> ${principalsText(to)}, one action is enough.`);
  const rises = effortBefore.flatMap((before) => {
    const after = effortAfter.find(({ environment_id }) => environment_id === before.environment_id);
    const isRise = after !== undefined && order(after.typical) > order(before.typical);
    return isRise
      ? [`${before.environment_name} ${typicalText(before.typical)} -> ${typicalText(after.typical)}`]
      : [];
  });
  if (rises.length > 0) parts.push(`Typical attack effort: ${rises.join(', ')}.`);
  return parts.length === 0 ? undefined : parts.join(' ');
}

const order = (typical: number | null): number => typical ?? Number.POSITIVE_INFINITY;

export const typicalText = (typical: number | null): string =>
  typical === null ? 'no path' : String(typical);

function waysText({ effortBefore, effortAfter }: EffectFacts): string | undefined {
  const fewer = effortBefore.flatMap((before) => {
    const after = effortAfter.find(({ environment_id }) => environment_id === before.environment_id);
    const [from, to] = [before.equally_easy_ways, after?.equally_easy_ways];
    return from !== null && typeof to === 'number' && to < from
      ? [`${before.environment_name}: ${from} -> ${to} equally easy attack paths.`]
      : [];
  });
  return fewer.length === 0 ? undefined : fewer.join(' ');
}

/**
 * Describes the bound of a card, which covers all changes up to and including the card.
 * @param changes number of changes in this card and all before it
 */
export function boundText({ bound }: Pick<FirstCard, 'bound'>, changes: number, isFirst: boolean): string {
  const what = isFirst ? 'do this' : 'achieve this result';
  if (bound.isProvenCheapest)
    return isFirst ? 'No cheaper set does this.' : 'No cheaper set achieves this result.';
  if (bound.changes >= changes) return `No fewer than ${counted(changes, 'change')} can ${what}.`;
  if (bound.changes <= 1) return 'No cheaper set was found.';
  const who = isFirst ? 'This card has' : 'This card and those before it have';
  return `${who} ${counted(changes, 'single change')}; no fewer than ${bound.changes} can ${what}.`;
}

export interface EndFacts {
  readonly reason: PlanRecord['end']['reason'];
  readonly before: PlanRecord['before'];
  /** Exposure after the last card; for a plan without cards, the current one. */
  readonly exposure: PlanRecord['before'];
  /** Principals that no change keeps out. */
  readonly unreachable: number;
}

/** @param goal share of each environment that may stay exposed */
export function endText(facts: EndFacts, goal: number): string {
  const { reason, before, exposure, unreachable } = facts;
  const left = exposure.reduce((sum, { exposed_count }) => sum + exposed_count, 0);
  const all = countedIn(exposure);
  const stays = `${principalsText(left)} of ${all.toLocaleString('en-US')} (${shareOf(left, all)})`;
  const text = reasonText(reason, { stays, goal, unreachable });
  // A page has one base, so a figure with another base states it.
  const more = all - countedIn(before);
  return more > 0
    ? `${text} ${counted(more, 'account')} more than now ${more === 1 ? 'counts' : 'count'}, because the plan removes accounts from the zone.`
    : text;
}

const countedIn = (exposure: PlanRecord['before']): number =>
  exposure.reduce((sum, { principal_count }) => sum + principal_count, 0);

function reasonText(
  reason: EndFacts['reason'],
  { stays, goal, unreachable }: { stays: string; goal: number; unreachable: number },
): string {
  switch (reason) {
    case 'nothing-exposed':
      return 'No user or computer outside the zone can reach it.';
    case 'goal':
      return `The goal is met: at most ${shareOf(goal, 1)} of each environment can reach the zone. ${stays} still can.`;
    case 'no-gain':
      return `No other known change lowers the exposure enough for its cost. ${stays} can still reach the zone.`;
    case 'unreachable':
      return `No known change keeps out ${principalsText(unreachable)}. ${stays} can still reach the zone.`;
    case 'out-of-time':
      return `The search reached its time limit: more changes may help. ${stays} can still reach the zone.`;
    case 'unfinished':
      return `The search for more changes is not complete yet. ${stays} can still reach the zone.`;
  }
}
