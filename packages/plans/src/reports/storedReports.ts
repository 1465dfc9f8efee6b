/** Reports in the database: their visibility, next due time, and issues. */

import {
  MAX_REPORT_ISSUES,
  MAX_REPORTS,
  type ReportContent,
  type ReportIssue,
  type ReportRecord,
} from '@clew/api';
import { apiError, type UserPrincipal } from '@clew/common';
import { zoneRecords } from '@clew/judgment/handlers';
import { type Db, type ReportSchedule, type ReportTable, TIER_ZERO } from '@clew/store';
import { type Selectable, sql } from 'kysely';

export type ReportRow = Selectable<ReportTable>;

const HOUR = 6;

/** Mondays, or the first day of a month, at 06:00 UTC. @returns null without a schedule */
export function nextTime(schedule: ReportSchedule, now: Date): Date | null {
  if (schedule === 'none') return null;
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  if (schedule === 'monthly') {
    const first = new Date(Date.UTC(year, month, 1, HOUR));
    return first > now ? first : new Date(Date.UTC(year, month + 1, 1, HOUR));
  }
  const monday = new Date(Date.UTC(year, month, day + ((8 - now.getUTCDay()) % 7), HOUR));
  return monday > now ? monday : new Date(monday.getTime() + 7 * 86_400_000);
}

type Environments = readonly string[] | null;

/** Whether a user may see all environments of a report or issue. */
export const sees = ({ environments: own }: UserPrincipal, environments: Environments): boolean =>
  own === null || environments?.every((id) => own.has(id)) === true;

const seesReport = (user: UserPrincipal, row: ReportRow): boolean =>
  row.user_id === user.userId || sees(user, row.environments);

export const environmentsOf = ({ environments }: UserPrincipal): Environments =>
  environments === null ? null : [...environments].sort();

/** @throws ApiError 404 if it is missing or covers environments that the user may not see */
export async function reportFor(db: Db, id: number, user: UserPrincipal): Promise<ReportRow> {
  const row = await db.selectFrom('report').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined || !seesReport(user, row)) throw apiError('resourceNotFound');
  return row;
}

/** Maximum number of listed reports, own and others. */
const MAX_LISTED = 1000;

/** Newest first; own reports come first if there are too many. */
export async function reportsFor(db: Db, user: UserPrincipal): Promise<ReportRecord[]> {
  const own = environmentsOf(user);
  let found = db.selectFrom('report').selectAll();
  if (own !== null)
    found = found.where(
      sql<boolean>`(user_id = ${user.userId} or environments <@ ${JSON.stringify(own)}::jsonb)`,
    );
  const rows = await found
    .orderBy((eb) => eb.fn.coalesce(eb('user_id', '=', user.userId), sql<boolean>`false`), 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_LISTED)
    .execute();
  return recordsOf(
    db,
    rows.sort((a, b) => b.id - a.id),
    user,
  );
}

export async function reportRecord(db: Db, row: ReportRow, user: UserPrincipal): Promise<ReportRecord> {
  const [record] = await recordsOf(db, [row], user);
  return record as ReportRecord;
}

/** Uses one query for the issues of all reports. */
async function recordsOf(db: Db, rows: readonly ReportRow[], user: UserPrincipal): Promise<ReportRecord[]> {
  const issues = await db
    .selectFrom('report_issue')
    .select(['id', 'report_id', 'made_at', 'generation', 'environments'])
    .where(sql<boolean>`report_id = any (${rows.map(({ id }) => id)}::bigint[])`)
    .orderBy('id', 'desc')
    .execute();
  const byReport = Map.groupBy(issues, ({ report_id }) => report_id);
  return rows.map((row) => {
    const { id, name, audience, zone, environment, days, masked, schedule, created_at } = row;
    const ended = row.ended ?? (row.user_id === null ? DELETED : null);
    return {
      ...{
        id,
        name,
        audience,
        asset_group_tag_id: zone,
        environment_id: environment,
        days,
        masked,
        schedule,
      },
      ...{ next_at: ended === null ? row.next_at : null, ended, owner: row.owner_name, created_at },
      failure:
        ended !== null || row.failed_at === null ? null : { at: row.failed_at, reason: row.failure ?? '' },
      is_own: row.user_id === user.userId,
      issues: (byReport.get(id) ?? [])
        .filter(({ environments }) => sees(user, environments))
        .map(({ id: number, made_at, generation }) => ({ id: number, made_at, generation })),
    };
  });
}

export const DELETED = 'Its owner was deleted';

/** False for a deleted zone: it is no longer analyzed, and its last plan does not change. */
export const hasZone = async (db: Db, zone: number): Promise<boolean> =>
  zone === TIER_ZERO || (await zoneRecords(db)).has(zone);

type ReportValues = Pick<
  ReportRow,
  'name' | 'audience' | 'zone' | 'environment' | 'days' | 'masked' | 'schedule' | 'next_at'
>;

export async function insertReport(db: Db, user: UserPrincipal, values: ReportValues): Promise<ReportRow> {
  // Serializes concurrent requests, so that the count is correct.
  await sql`select pg_advisory_xact_lock(hashtext(${`reports ${user.userId}`}))`.execute(db);
  const { count } = await db
    .selectFrom('report')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('user_id', '=', user.userId)
    .executeTakeFirstOrThrow();
  if (count >= MAX_REPORTS) throw apiError('tooManyReports', { count: String(count) });
  await requireNewReportName(db, user.userId, values.name);
  return db
    .insertInto('report')
    .values({
      ...values,
      ...{ user_id: user.userId, owner_name: user.name },
      environments: jsonOf(environmentsOf(user)),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A repeated request creates one report. @throws ApiError 409 if its owner has another report with the name */
export async function requireNewReportName(
  db: Db,
  owner: string,
  name: string,
  except: number | null = null,
): Promise<void> {
  const taken = await db
    .selectFrom('report')
    .select('id')
    .where('user_id', '=', owner)
    .where('name', '=', name)
    .where(sql<boolean>`id is distinct from ${except}::bigint`)
    .executeTakeFirst();
  if (taken !== undefined) throw apiError('duplicateReport');
}

/** Locks the report against concurrent changes. @returns undefined if it was deleted */
export const lockedReport = (transaction: Db, id: number): Promise<ReportRow | undefined> =>
  transaction.selectFrom('report').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

const jsonOf = (value: Environments): string | null => (value === null ? null : JSON.stringify(value));

/**
 * Stores an issue, and deletes the oldest ones beyond the limit.
 * @param schedule the schedule of the issue; null if it was requested
 * @throws ApiError 404 if the report was deleted in the meantime
 */
export async function insertIssue(
  db: Db,
  report: number,
  owner: UserPrincipal,
  made: { readonly generation: number; readonly content: ReportContent },
  schedule: ReportSchedule | null = null,
): Promise<ReportIssue> {
  if ((await lockedReport(db, report)) === undefined) throw apiError('resourceNotFound');
  const environments = jsonOf(environmentsOf(owner));
  const { id, made_at } = await db
    .insertInto('report_issue')
    .values({
      ...{ report_id: report, generation: made.generation, environments, schedule },
      content: JSON.stringify(made.content),
    })
    .returning(['id', 'made_at'])
    .executeTakeFirstOrThrow();
  await db.updateTable('report').set({ environments }).where('id', '=', report).execute();
  await sql`
    delete from report_issue where report_id = ${report} and id not in (
      select id from report_issue where report_id = ${report} order by id desc limit ${MAX_REPORT_ISSUES})`.execute(
    db,
  );
  return { id, made_at, ...made };
}

/** @throws ApiError 404 if it is missing or covers environments that the user may not see */
export async function issueFor(
  db: Db,
  report: number,
  issue: number,
  user: UserPrincipal,
): Promise<ReportIssue> {
  const row = await db
    .selectFrom('report_issue')
    .selectAll()
    .where('report_id', '=', report)
    .where('id', '=', issue)
    .executeTakeFirst();
  if (row === undefined || !sees(user, row.environments)) throw apiError('resourceNotFound');
  const { id, made_at, generation } = row;
  return { id, made_at, generation, content: row.content as ReportContent };
}
