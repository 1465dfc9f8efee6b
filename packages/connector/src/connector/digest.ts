/**
 * A digest by mail: what opened, what closed, which changes were verified or came back, what is overdue, and the first card, once a day or a
 * week. The service answers as the user of the connector's token, so a receiver gets nothing that this user may not see. The mail waits in the
 * outbox like each message: it is sent at most once. Rule: `docs/integration.md#digest`.
 */
import { type InboxGroupName, nullable } from '@clew/api';
import type { ClewClient } from '@clew/client';
import Type, { type Static, type TSchema } from 'typebox';
import { stableUuid } from '../findings/identity.ts';
import type { DigestSettings } from '../platforms/settings.ts';
import type { ConnectorState } from '../state/connectorState.ts';
import { type Block, plainLine, quoted, type Run } from '../tickets/blocks.ts';
import type { NewTicket } from '../tickets/workSystem.ts';

const Item = Type.Object({
  kind: Type.String(),
  done: Type.Boolean(),
  text: Type.Optional(Type.String()),
  plan: Type.Optional(Type.Object({ name: Type.String() })),
  due: Type.Optional(nullable(Type.String())),
  overdue: Type.Optional(Type.Boolean()),
  finding: Type.Optional(
    Type.Object({
      ...{ title: Type.String(), severity: Type.String(), environment_name: Type.String() },
      ...{ source_principal_name: Type.String(), target_principal_name: Type.String() },
      due: Type.Optional(nullable(Type.String())),
      overdue: Type.Optional(Type.Boolean()),
    }),
  ),
});
type InboxItem = Static<typeof Item>;

/** The parts of the answers that a digest needs. */
const Inbox = Type.Object({
  to: nullable(Type.String()),
  groups: Type.Array(
    Type.Object({
      ...{ group: Type.String(), count: Type.Integer(), has_more: Type.Boolean(), items: Type.Array(Item) },
    }),
  ),
});
type InboxRecord = Static<typeof Inbox>;

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

const answered = <Record extends TSchema>(data: Record) => Type.Object({ data });

const DAY_MS = 24 * 3_600_000;
const LENGTH_MS = { day: DAY_MS, week: 7 * DAY_MS } as const;
/** 1970-01-01 was a Thursday: weeks begin on Monday. */
const MONDAY_MS = 4 * DAY_MS;
const DEFAULT_HOUR = 6;
/** Rows of each list; the page has all. */
const MAX_ROWS = 20;
/** Rows of each group in the answer of the service. */
const MAX_READ = 200;

/** Last period with a digest, or without news. */
const PERIOD = 'digest:period';
/** Time of the latest analysis in the last digest. */
const UNTIL = 'digest:until';

export interface DigestParts {
  readonly settings: DigestSettings;
  readonly server: string;
  readonly client: ClewClient;
  readonly signal: AbortSignal | undefined;
}

/** @returns the number of the day or week that began last at its hour */
export function periodAt(now: number, { every, hour = DEFAULT_HOUR }: DigestSettings): number {
  const start = every === 'week' ? MONDAY_MS : 0;
  return Math.floor((now - start - hour * 3_600_000) / LENGTH_MS[every]);
}

/** @returns the start of the changes to tell; undefined if the digest of this period was already made */
export async function dueSince(
  state: ConnectorState,
  settings: DigestSettings,
  now: number,
): Promise<string | undefined> {
  if ((await state.meta(PERIOD)) === String(periodAt(now, settings))) return undefined;
  return (await state.meta(UNTIL)) ?? new Date(now - LENGTH_MS[settings.every]).toISOString();
}

export interface Digest {
  /** Undefined if nothing happened. */
  readonly ticket: NewTicket | undefined;
  /** Start of the next digest. */
  readonly until: string;
}

/** @throws ApiError */
export async function readDigest(parts: DigestParts, since: string): Promise<Digest> {
  const { client, settings, signal } = parts;
  const query = { since, limit: MAX_READ };
  const inbox = (await client.call('GetInbox', { query }, { signal, needs: answered(Inbox) }))
    .data as InboxRecord;
  const until = inbox.to ?? since;
  const news = newsOf(inbox, since);
  if (news.count === 0 && settings.whenEmpty !== true) return { ticket: undefined, until };
  const needed = { signal, needs: answered(Plan) };
  const plan = (await client.call('GetPlan', { query: { limit: 1 } }, needed)).data as PlanRecord;
  const body = [
    ...blocksOf(news, since, until),
    ...cardBlocks(plan, parts.server),
    { paragraph: ['All changes: ', addressOf(`${parts.server}/ui/changes`)] },
    { paragraph: ['This mail has only objects that the user of the connector may see.'] },
  ];
  return { ticket: { key: '', headline: 'Clew', title: titleOf(news), body }, until };
}

/**
 * Stores the mail in the outbox with the end of its period, so that a crash neither repeats nor loses it.
 * @param receivers distinguish the ids of mails about the same period
 */
export async function keepDigest(
  state: ConnectorState,
  { ticket, until }: Digest,
  { period, receivers }: { readonly period: number; readonly receivers: readonly string[] },
): Promise<void> {
  const eventId = stableUuid('digest', period, ...receivers);
  const key = `clew-digest-${eventId}`;
  await state.transaction(async (inside) => {
    if (ticket !== undefined)
      await inside.tickets.enqueue({
        ...{ key, kind: 'create', eventId },
        payload: { ticket: { ...ticket, key }, body: [] },
      });
    await inside.setMeta(PERIOD, String(period));
    await inside.setMeta(UNTIL, until);
  });
}

interface Section {
  readonly title: string;
  readonly items: readonly InboxItem[];
  /** Number of rows; `items` are the first of them. */
  readonly count: number;
  readonly hasMore: boolean;
}

interface News {
  readonly sections: readonly Section[];
  /** Overdue work that was overdue before. */
  readonly overdue: Section;
  /** Everything that happened in the period. */
  readonly count: number;
}

const NO_GROUP = { count: 0, has_more: false, items: [] };

function newsOf({ groups }: InboxRecord, since: string): News {
  const groupOf = (name: InboxGroupName): Omit<InboxRecord['groups'][number], 'group'> =>
    groups.find(({ group }) => group === name) ?? NO_GROUP;
  const whole = (title: string, name: InboxGroupName): Section => {
    const { items, count, has_more: hasMore } = groupOf(name);
    return { title, items, count, hasMore };
  };
  const part = (title: string, name: InboxGroupName, fits: (item: InboxItem) => boolean): Section => {
    const { items, count, has_more: hasMore } = groupOf(name);
    const found = items.filter(fits);
    return { title, items: found, count: found.length, hasMore: hasMore || count > items.length };
  };
  const sections = [
    whole('Opened', 'opened'),
    whole('Closed', 'closed'),
    part('Verified', 'verified', ({ kind }) => kind === 'verified'),
    part('Came back', 'verified', ({ kind }) => kind === 'undone'),
  ];
  const overdue = part('Overdue', 'waiting', isOverdue);
  const isNew = ({ due }: InboxItem): boolean => due != null && Date.parse(due) + DAY_MS > Date.parse(since);
  const count =
    sections.reduce((sum, section) => sum + section.count, 0) + overdue.items.filter(isNew).length;
  return { sections, overdue, count };
}

const isOverdue = ({ kind, overdue, finding, done }: InboxItem): boolean =>
  !done && (kind === 'overdue' || overdue === true || finding?.overdue === true);

/** Names may be long, and the mail has many. */
const MAX_NAME = 150;
const shortly = (text: string): Run => quoted(plainLine(text, MAX_NAME));

const addressOf = (link: string): Run => ({ link, words: link });

const shownCount = ({ count, hasMore }: Section): string => `${hasMore ? 'at least ' : ''}${count}`;

function titleOf({ sections, overdue }: News): string {
  const parts = [...sections, overdue].filter(({ count }) => count > 0);
  if (parts.length === 0) return 'nothing changed';
  return parts.map((section) => `${shownCount(section)} ${section.title.toLowerCase()}`).join(', ');
}

function blocksOf({ sections, overdue }: News, since: string, until: string): Block[] {
  const day = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`;
  const shown = [...sections, overdue].filter(({ count }) => count > 0);
  return [
    { paragraph: [`Changes from ${day(since)} to ${day(until)}.`] },
    ...(shown.length === 0 ? [{ paragraph: ['Nothing opened, closed or came back.'] }] : []),
    ...shown.flatMap((section): Block[] => [
      { heading: `${section.title}: ${shownCount(section)}` },
      { list: section.items.slice(0, MAX_ROWS).map(lineOf) },
      ...(section.hasMore || section.count > MAX_ROWS
        ? [{ paragraph: ['More are on the page of all changes.'] }]
        : []),
    ]),
  ];
}

function lineOf({ finding, text, plan, due }: InboxItem): Run[] {
  const until = due == null ? [] : [`, due ${due}`];
  if (finding === undefined)
    return [shortly(text ?? ''), ...(plan === undefined ? [] : [', plan ', shortly(plan.name)]), ...until];
  const {
    title,
    severity,
    source_principal_name: source,
    target_principal_name: target,
    environment_name,
  } = finding;
  const ends = source === '' ? [shortly(target)] : [shortly(source), ' to ', shortly(target)];
  const day = finding.due ? [`, due ${finding.due}`] : [];
  return [`${severity}: `, shortly(title), ': ', ...ends, ' (', shortly(environment_name), ')', ...day];
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
