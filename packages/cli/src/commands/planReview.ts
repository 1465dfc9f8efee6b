/**
 * `clew plan review`: reviews one card at a time. For a change that is not possible, the user gives the reason once; alternatives are shown
 * before it is stored, and the plan avoids it from then on.
 */

import type { CardRecord, PackageRecord, PlanRecord } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { phrasesOf } from '@clew/connector';
import { counted } from '@clew/model';
import type { AskLine } from '../askLine.ts';
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import { zoneQuery } from '../findings/readFindings.ts';
import {
  cardHeading,
  cardLines,
  headline,
  kindsOfCard,
  leftOut,
  planCost,
  planReach,
} from '../plan/planPages.ts';
import { printable } from '../terminal/text.ts';
import { readPlan } from './plan.ts';

export interface ReviewOptions extends ConnectionOptions {
  readonly zone?: string;
}

/** Maximum number of cards in a plan. */
const ALL_CARDS = 50;

export async function reviewPlan(context: Context, options: ReviewOptions): Promise<void> {
  const { out, signal } = context;
  const client = await connect(context, options);
  const query = { limit: ALL_CARDS, ...(await zoneQuery(client, options, signal)) };
  await context.withQuestions(async (ask) => {
    let plan = await readPlan(context, client, query);
    out.write(`${headline(plan)}\n\n`);
    for (let at = 0; at < plan.cards.length; ) {
      const card = plan.cards[at] as CardRecord;
      const phraseOf = await phrasesOf(client, kindsOfCard(card), signal);
      out.write(`${cardLines(out, card, at + 1, phraseOf).join('\n')}\n\n`);
      const answer = await askChoice(ask);
      if (answer === 'q') break;
      if (answer === 'y') at++;
      else if (await leaveOut(context, client, { plan, card, query, ask }))
        plan = await readPlan(context, client, query);
    }
    out.write(`${summary(plan)}\n`);
  });
}

/** @returns `q` also at the end of the input */
async function askChoice(ask: AskLine): Promise<'y' | 'n' | 'q'> {
  for (let question = QUESTION; ; question = `Answer y, n or q. ${QUESTION}`) {
    const answer = (await ask(question))?.trim().toLowerCase();
    if (answer === undefined || 'quit'.startsWith(answer || '-')) return 'q';
    if ('yes'.startsWith(answer || '-')) return 'y';
    if ('no'.startsWith(answer || '-')) return 'n';
  }
}

const QUESTION = 'Can you make this change? [y]es, [n]o, [q]uit: ';

interface Asked {
  readonly plan: PlanRecord;
  readonly card: CardRecord;
  readonly query: { readonly limit: number; readonly asset_group_tag_id?: number };
  readonly ask: AskLine;
}

/** @returns whether a change was excluded */
async function leaveOut(
  context: Context,
  client: ClewClient,
  { plan, card, query, ask }: Asked,
): Promise<boolean> {
  const { out, signal } = context;
  const packages = await chosenPackages(out, card, ask);
  if (packages.length === 0) return false;
  const exclude = packages.map(({ key }) => key);
  const other = await readPlan(context, client, { ...query, exclude });
  out.write(`${alternatives(plan, other)}\n`);
  const reason = await ask('Why can it not be changed? (empty: leave the plan unchanged) ');
  if (reason === undefined || reason === '') return false;
  const until = await askDay(out, ask);
  const body = {
    subject: 'repairs' as const,
    repairs: packages.flatMap(({ references }) => references),
    title: packages
      .map(({ title }) => title)
      .join('; ')
      .slice(0, 400),
    reason,
    ...(until !== undefined && { until: `${until}T00:00:00Z` }),
  };
  await client.call('CreatePlanConstraint', { body }, { signal });
  return true;
}

/** @returns `undefined` for no end date */
async function askDay(out: Context['out'], ask: AskLine): Promise<string | undefined> {
  for (;;) {
    const day = (await ask('Until when? (YYYY-MM-DD, empty: permanently) '))?.trim();
    if (day === undefined || day === '') return undefined;
    if (/^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day))) return day;
    out.write(`"${printable(day)}" is not a date.\n`);
  }
}

async function chosenPackages(
  out: Context['out'],
  { packages }: CardRecord,
  ask: AskLine,
): Promise<readonly PackageRecord[]> {
  if (packages.length === 1) return packages;
  for (const [at, { title }] of packages.entries()) out.write(`  ${at + 1}  ${printable(title)}\n`);
  const answer = await ask('Which of these? (numbers, empty: all) ');
  if (answer === undefined) return [];
  const numbers = answer
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(Number);
  const chosen = numbers.length === 0 ? packages : packages.filter((_, at) => numbers.includes(at + 1));
  if (chosen.length === 0) out.write(`No entry has the number ${printable(answer)}.\n`);
  return chosen;
}

/** Describes the alternatives, and the cost of the exclusion. */
export function alternatives(plan: PlanRecord, other: PlanRecord): string {
  const known = new Set(plan.cards.flatMap((card) => card.packages.map(({ key }) => key)));
  const others = other.cards.filter((card) => card.packages.some(({ key }) => !known.has(key)));
  const lines = others.slice(0, 3).map((card) => `  ${printable(cardHeading(card))}`);
  return [
    `Without it, the plan reaches ${planReach(other)} for cost ${planCost(other)}, instead of ${planReach(plan)} for cost ${planCost(plan)}.`,
    ...(lines.length === 0
      ? ['There is no alternative with the same effect.']
      : ['Alternatives include:', ...lines]),
  ].join('\n');
}

const summary = (plan: PlanRecord): string =>
  [
    `The plan: ${counted(plan.card_count, 'card')}, ${planReach(plan)} for cost ${planCost(plan)}.`,
    ...(plan.excluded.constraints.some(({ subject }) => subject !== 'unneeded') ? [leftOut(plan)] : []),
    'clew plans adopt NAME starts it.',
  ].join('\n');
