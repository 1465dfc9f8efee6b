/**
 * A digest by mail: what opened, what closed, which changes were verified or came back, what is overdue, and the first card, once a day or a
 * week. The service answers as the user of the connector's token, so a receiver gets nothing that this user may not see. The mail waits in the
 * outbox like each message: it is sent at most once. Rule: `docs/integration.md#digest`.
 */
import type { ClewClient } from '@clew/client';
import Type, { type Static } from 'typebox';
import { stableUuid } from '../findings/identity.ts';
import type { DigestSettings } from '../platforms/settings.ts';
import type { ConnectorState } from '../state/connectorState.ts';
import type { Block, Run } from '../tickets/blocks.ts';
import { timeText } from '../tickets/ticketTexts.ts';
import type { NewTicket } from '../tickets/workSystem.ts';
import { answered, MAX_ROWS, type News, readNews, type Section, shortly, type Told } from './digestNews.ts';

const Plan = Type.Object({
  cards: Type.Optional(
    Type.Array(
      Type.Object({
        effect: Type.Object({ text: Type.String() }),
        packages: Type.Array(Type.Object({ title: Type.String() })),
      }),
    ),
  ),
});
type PlanRecord = Static<typeof Plan>;

const DAY_MS = 24 * 3_600_000;
const LENGTH_MS = { day: DAY_MS, week: 7 * DAY_MS } as const;
/** 1970-01-01 was a Thursday: weeks begin on Monday. */
const MONDAY_MS = 4 * DAY_MS;
const DEFAULT_HOUR = 6;

/** Last period with a digest, or without news. */
const PERIOD = 'digest:period';
/** State of the last digest, as JSON. */
const TOLD = 'digest:told';

export interface DigestParts {
  readonly settings: DigestSettings;
  readonly server: string;
  readonly client: ClewClient;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly signal: AbortSignal | undefined;
}

/** @returns the number of the day or week that began last at its hour */
export function periodAt(now: number, { every, hour = DEFAULT_HOUR }: DigestSettings): number {
  const start = every === 'week' ? MONDAY_MS : 0;
  return Math.floor((now - start - hour * 3_600_000) / LENGTH_MS[every]);
}

/** A digest that was not made yet. */
export interface DueDigest {
  readonly period: number;
  readonly told: Told;
}

/** @returns undefined if the digest of this period was already made */
export async function dueDigest(
  state: ConnectorState,
  settings: DigestSettings,
  now: number,
): Promise<DueDigest | undefined> {
  const period = periodAt(now, settings);
  if ((await state.meta(PERIOD)) === String(period)) return undefined;
  const stored = await state.meta(TOLD);
  return {
    period,
    told: stored === undefined ? firstTold(now - LENGTH_MS[settings.every]) : readTold(stored),
  };
}

/** The first digest has the changes after this time. */
function firstTold(time: number): Told {
  // Work is overdue from the end of its due day on.
  const due = new Date(time - DAY_MS).toISOString().slice(0, 10);
  return { until: new Date(time).toISOString(), plans: new Map(), due };
}

function readTold(stored: string): Told {
  const { plans, ...told } = JSON.parse(stored) as Omit<Told, 'plans'> & { plans: [number, string][] };
  return { ...told, plans: new Map(plans) };
}

export interface Digest {
  /** Undefined if nothing happened. */
  readonly ticket: NewTicket | undefined;
  /** Start of the next digest. */
  readonly told: Told;
}

/** @throws ApiError */
export async function readDigest(parts: DigestParts, before: Told): Promise<Digest> {
  const { client, settings, signal } = parts;
  const news = await readNews(parts, before);
  const { told } = news;
  if (news.isEmpty && settings.whenEmpty !== true) return { ticket: undefined, told };
  const needed = { signal, needs: answered(Plan) };
  const plan = (await client.call('GetPlan', { query: { limit: 1 } }, needed)).data as PlanRecord;
  const body = [
    ...blocksOf(news, before),
    ...cardBlocks(plan, parts.server),
    { paragraph: ['All changes: ', addressOf(`${parts.server}/ui/changes`)] },
    { paragraph: ['This mail has only objects that the user of the connector may see.'] },
  ];
  return { ticket: { key: '', headline: 'Clew', title: titleOf(news), body }, told };
}

interface DigestIdentity {
  readonly period: number;
  /** These distinguish the ids of mails about the same period. */
  readonly server: string;
  readonly tokenId: string;
  readonly receivers: readonly string[];
}

/** Stores the mail in the outbox with the end of its period, so that a crash neither repeats nor loses it. */
export async function keepDigest(
  state: ConnectorState,
  { ticket, told }: Digest,
  { period, server, tokenId, receivers }: DigestIdentity,
): Promise<void> {
  const eventId = stableUuid('digest', server, tokenId, period, ...receivers);
  const key = `clew-digest-${eventId}`;
  await state.transaction(async (inside) => {
    if (ticket !== undefined)
      await inside.tickets.enqueue({
        ...{ key, kind: 'create', eventId },
        payload: { ticket: { ...ticket, key }, body: [] },
      });
    await inside.setMeta(PERIOD, String(period));
    await inside.setMeta(TOLD, JSON.stringify({ ...told, plans: [...told.plans] }));
  });
}

const addressOf = (link: string): Run => ({ link, words: link });

const shownCount = ({ count, hasMore }: Section): string => `${hasMore ? 'at least ' : ''}${count}`;

function titleOf({ sections }: News): string {
  const parts = sections.filter(({ count }) => count > 0);
  if (parts.length === 0) return 'nothing changed';
  return parts.map((section) => `${shownCount(section)} ${section.title.toLowerCase()}`).join(', ');
}

function blocksOf({ sections, told }: News, before: Told): Block[] {
  const shown = sections.filter(({ count }) => count > 0);
  return [
    { paragraph: [`Changes from ${timeText(before.until)} to ${timeText(told.until)}.`] },
    ...(shown.length === 0 ? [{ paragraph: ['Nothing opened, closed or came back.'] }] : []),
    ...shown.flatMap((section): Block[] => [
      { heading: `${section.title}: ${shownCount(section)}` },
      { list: section.lines },
      ...(section.hasMore || section.count > section.lines.length
        ? [{ paragraph: [`The first ${section.lines.length} are listed.`] }]
        : []),
    ]),
  ];
}

/** No card while the plan is computed. */
function cardBlocks({ cards: [card] = [] }: PlanRecord, server: string): Block[] {
  if (card === undefined) return [];
  return [
    { heading: 'First card' },
    { list: card.packages.slice(0, MAX_ROWS).map((one) => [shortly(one.title)]) },
    { paragraph: [shortly(card.effect.text)] },
    { paragraph: ['Fix first: ', addressOf(`${server}/ui/fix`)] },
  ];
}
