/**
 * The contents of a digest: findings that opened or closed, changes of started plans, and overdue work. Rule:
 * `docs/integration.md#digest`.
 */
import { type InboxGroupName, nullable } from '@clew/api';
import type { ClewClient } from '@clew/client';
import Type, { type Static, type TSchema } from 'typebox';
import { plainLine, quoted, type Run } from '../tickets/blocks.ts';
import { instantOf } from '../tickets/instants.ts';
import { PlanSource, type StartedPlan } from '../tickets/planSource.ts';
import { dayText, isDay } from '../tickets/ticketTexts.ts';

const Finding = Type.Object({
  ...{ title: Type.String(), severity: Type.String(), environment_name: Type.String() },
  ...{ source_principal_name: Type.String(), target_principal_name: Type.String() },
  due: Type.Optional(nullable(Type.String())),
});
type FindingRow = Static<typeof Finding>;

/** The parts of the answers that a digest needs. */
const Inbox = Type.Object({
  to: nullable(Type.String()),
  groups: Type.Array(
    Type.Object({
      ...{ group: Type.String(), count: Type.Integer(), has_more: Type.Boolean() },
      items: Type.Array(Type.Object({ finding: Type.Optional(Finding) })),
    }),
  ),
});
type InboxRecord = Static<typeof Inbox>;

const Findings = Type.Object({ count: Type.Integer(), data: Type.Array(Finding) });
type FindingsPage = Static<typeof Findings>;

export const answered = <Record extends TSchema>(data: Record) => Type.Object({ data });

/** Rows of each list; the page has all. */
export const MAX_ROWS = 20;

/** The end of the last digest: the next one has later events. */
export interface Told {
  /** Time of its latest analysis. */
  readonly until: string;
  /** The analysis with which each started plan was compared, keyed by plan. A plan is compared some time after the analysis. */
  readonly plans: ReadonlyMap<number, string>;
  /** Latest due day (`YYYY-MM-DD`) of its overdue work, and of that in earlier digests. */
  readonly due: string;
}

export interface Section {
  readonly title: string;
  /** The first rows. */
  readonly lines: readonly (readonly Run[])[];
  /** Number of all rows. */
  readonly count: number;
  /** The service stopped counting. */
  readonly hasMore: boolean;
}

export interface News {
  readonly sections: readonly Section[];
  /** Without an event in a section, and without work that became overdue. */
  readonly isEmpty: boolean;
  /** Start of the next digest. */
  readonly told: Told;
}

interface NewsSource {
  readonly client: ClewClient;
  readonly now: number;
  readonly signal: AbortSignal | undefined;
}

/** @throws ApiError */
export async function readNews({ client, now, signal }: NewsSource, told: Told): Promise<News> {
  const inboxQuery = { since: told.until, limit: MAX_ROWS };
  const inbox = (await client.call('GetInbox', { query: inboxQuery }, { signal, needs: answered(Inbox) }))
    .data as InboxRecord;
  const { plans } = await new PlanSource(client, signal).list([], (_, read) => read());
  const lateQuery = { overdue: 'eq:true', sort_by: '-due', limit: MAX_ROWS };
  const late = (await client.call('ListAttackPathFindings', { query: lateQuery } as never, {
    signal,
    needs: Findings,
  })) as unknown as FindingsPage;
  const events = plans.flatMap((plan) => eventsOf(plan, told.plans.get(plan.plan_id) ?? told.until));
  const eventSection = (title: string, state: string): Section => {
    const rows = events.filter((event) => event.state === state).sort((a, b) => (a.at < b.at ? 1 : -1));
    return listed(
      title,
      rows.map(({ line }) => line),
    );
  };
  const sections = [
    ofFindings('Opened', inbox, 'opened'),
    ofFindings('Closed', inbox, 'closed'),
    eventSection('Verified', 'done'),
    eventSection('Came back', 'undone'),
  ];
  const work = overdueWork(plans, late, new Date(now).toISOString().slice(0, 10));
  const due = work.latest > told.due ? work.latest : told.due;
  return {
    sections: [...sections, work.section],
    isEmpty: due === told.due && sections.every(({ count }) => count === 0),
    told: {
      until: instantOf(inbox.to, now) ?? told.until,
      plans: new Map(plans.map(({ plan_id, published_at }) => [plan_id, published_at])),
      due,
    },
  };
}

function ofFindings(title: string, { groups }: InboxRecord, name: InboxGroupName): Section {
  const found = groups.find(({ group }) => group === name);
  if (found === undefined) return listed(title, []);
  const lines = found.items.flatMap(({ finding }) => (finding === undefined ? [] : [findingLine(finding)]));
  return { title, lines, count: found.count, hasMore: found.has_more };
}

const listed = (title: string, lines: readonly (readonly Run[])[]): Section => ({
  ...{ title, lines: lines.slice(0, MAX_ROWS), count: lines.length, hasMore: false },
});

interface PlanEvent {
  readonly state: string;
  readonly at: string;
  readonly line: readonly Run[];
}

/** Times of analyses are compared as texts. */
const eventsOf = ({ name, changes }: StartedPlan, after: string): PlanEvent[] =>
  changes.flatMap(({ title, history }) =>
    history
      .filter(({ at }) => at > after)
      .map(({ state, at }) => ({ state, at, line: [shortly(title), ', plan ', shortly(name)] })),
  );

/** Repairs of all owners and findings, the latest due day first. A day in the future would hide work that becomes overdue until then. */
function overdueWork(plans: readonly StartedPlan[], { count, data }: FindingsPage, today: string) {
  const dueDay = (text: string | null | undefined): string =>
    text && isDay(text) && text <= today ? text : '';
  const repairs = plans.flatMap((plan) =>
    plan.repairs
      .filter(({ overdue }) => overdue === true)
      .map(({ title, due }) => ({
        due: dueDay(due),
        line: [shortly(title), ', plan ', shortly(plan.name), `, due ${dayText(due ?? '')}`],
      })),
  );
  const findings = data.map((row) => ({ due: dueDay(row.due), line: findingLine(row) }));
  const rows = [...repairs, ...findings].sort((a, b) => b.due.localeCompare(a.due));
  const section: Section = {
    ...{ title: 'Overdue', lines: rows.slice(0, MAX_ROWS).map(({ line }) => line) },
    ...{ count: repairs.length + count, hasMore: false },
  };
  return { section, latest: rows[0]?.due ?? '' };
}

function findingLine(finding: FindingRow): Run[] {
  const { title, severity, source_principal_name: source, target_principal_name: target } = finding;
  const ends = source === '' ? [shortly(target)] : [shortly(source), ' to ', shortly(target)];
  const due = finding.due ? [`, due ${dayText(finding.due)}`] : [];
  const environment = shortly(finding.environment_name);
  return [shortly(severity), ': ', shortly(title), ': ', ...ends, ' (', environment, ')', ...due];
}

/** Names may be long, and the mail has many. */
const MAX_NAME = 150;
export const shortly = (text: string): Run => quoted(plainLine(text, MAX_NAME));
