/**
 * Creates reports on schedule, with the current rights of their owners. A schedule ends if its zone is deleted, or its owner is
 * deleted, is disabled, or may no longer read the graph, keep reports or see the environment; the report gives the reason.
 */
import { randomUUID } from 'node:crypto';
import { ApiError, type Principal, recordSuccess, TaskLoop } from '@clew/common';
import { activeUser } from '@clew/identity';
import type { DatabaseLog, Db } from '@clew/store';
import { sql } from 'kysely';
import { type ContentParts, reportContent } from './reportContent.ts';
import {
  DELETED,
  hasZone,
  insertIssue,
  lockedReport,
  nextTime,
  type ReportRow,
  sees,
} from './storedReports.ts';

/** Schedules have hourly precision, so polling every minute is sufficient. */
const LOOK_MS = 60_000;
/** Delay before a failed or interrupted report is retried. */
const AGAIN_MINUTES = 10;

/** Polls at once, then every minute. Several processes may do so on one database. */
export function startReports(parts: ContentParts, log: DatabaseLog): { stop(): Promise<void> } {
  let later: NodeJS.Timeout | undefined;
  const loop: TaskLoop = new TaskLoop(
    {
      name: 'reports',
      delayMs: 0,
      run: async (signal) => {
        await makeDue(parts, log, signal);
        later = setTimeout(() => loop.wake(), LOOK_MS);
        later.unref();
      },
    },
    log,
  );
  loop.wake();
  return {
    async stop() {
      await loop.stop();
      clearTimeout(later);
    },
  };
}

/** Creates all due reports. @param now milliseconds since the epoch */
export async function makeDue(
  parts: ContentParts,
  log: DatabaseLog,
  signal?: AbortSignal,
  now = () => Date.now(),
): Promise<void> {
  const isOver = (): boolean => signal?.aborted === true;
  while (!isOver()) {
    const row = await claim(parts, new Date(now()));
    if (row === undefined) return;
    try {
      await makeScheduled(parts, row, log, now());
    } catch (error) {
      if (isOver()) return;
      log.warn({ err: error, report: row.id }, 'a report could not be created; it will be retried');
      await noteFailure(
        parts.db,
        row.id,
        error instanceof ApiError ? error.message : 'An internal error occurred; see the log',
      );
    }
  }
}

async function claim({ db }: ContentParts, now: Date): Promise<ReportRow | undefined> {
  const { rows } = await sql<ReportRow>`
    update report set next_at = ${now}::timestamptz + make_interval(mins => ${AGAIN_MINUTES})
    where id = (
      select id from report where next_at <= ${now}::timestamptz and ended is null
      order by next_at limit 1 for update skip locked)
    returning *`.execute(db);
  return rows[0];
}

/** Stores only the first failure until a report succeeds, so webhooks report it once. */
async function noteFailure(db: Db, id: number, failure: string): Promise<void> {
  await db
    .updateTable('report')
    .set({ failed_at: sql`clock_timestamp()`, failure })
    .where('id', '=', id)
    .where('failed_at', 'is', null)
    .execute();
}

async function makeScheduled(
  parts: ContentParts,
  row: ReportRow,
  log: DatabaseLog,
  now: number,
): Promise<void> {
  const { db } = parts;
  const found = row.user_id === null ? DELETED : await activeUser(db, row.user_id);
  if (typeof found === 'string') return endSchedule(parts, row, found, log);
  if (!found.permissions.has('graphdb/Read'))
    return endSchedule(parts, row, 'Its owner can no longer read the graph', log);
  // The operation `MakeReport` requires the same permission.
  if (!found.permissions.has('saved_queries/Write'))
    return endSchedule(parts, row, 'Its owner can no longer store reports', log);
  if (!(await hasZone(db, row.zone))) return endSchedule(parts, row, 'Its zone was deleted', log);
  if (row.environment !== null && !sees(found, [row.environment]))
    return endSchedule(parts, row, 'Its owner can no longer see its environment', log);
  const made = await reportContent(parts, row, found, now);
  if (!made.content.environments.some(({ collected }) => collected)) return skipTurn(parts, row, log, now);
  const issue = await db.transaction().execute(async (transaction) => {
    const next = await nextTurn(transaction, row.id, now);
    if (next === undefined) return undefined;
    const { schedule, next_at } = next;
    const inserted = await insertIssue(transaction, row.id, found, made, schedule);
    await transaction
      .updateTable('report')
      .set({ next_at, failed_at: null, failure: null })
      .where('id', '=', row.id)
      .execute();
    const fields = { report_id: row.id, name: row.name, issue_id: inserted.id, schedule };
    await recordSuccess(transaction, byItself(found), 'MakeReport', fields);
    return inserted;
  });
  if (issue !== undefined)
    log.info({ report: row.id, issue: issue.id, generation: issue.generation }, 'created a report');
}

/**
 * The owner may have ended or changed the schedule, or deleted the report, in the meantime. @returns undefined if there is no
 * next run
 */
async function nextTurn(transaction: Db, id: number, now: number) {
  const row = await lockedReport(transaction, id);
  if (row === undefined || row.ended !== null) return undefined;
  const next = nextTime(row.schedule, new Date(now));
  return next === null ? undefined : { schedule: row.schedule, next_at: next.toISOString() };
}

/** An empty report would replace one with data, so the report is retried later if the graph is not loaded. */
async function skipTurn(
  { db, generations }: ContentParts,
  { id }: ReportRow,
  log: DatabaseLog,
  now: number,
): Promise<void> {
  if (generations.current().id === 0) return;
  const isSkipped = await db.transaction().execute(async (transaction) => {
    const next = await nextTurn(transaction, id, now);
    if (next === undefined) return false;
    const { next_at } = next;
    await transaction.updateTable('report').set({ next_at }).where('id', '=', id).execute();
    await noteFailure(transaction, id, NOTHING_COLLECTED);
    return true;
  });
  if (isSkipped) log.info({ report: id }, 'no data is collected for a report; this run is skipped');
}

const NOTHING_COLLECTED = 'No data is collected for its environments';

async function endSchedule(
  { db }: ContentParts,
  { id, name }: ReportRow,
  reason: string,
  log: DatabaseLog,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('report')
      .set({ ended: reason, ended_at: sql`clock_timestamp()`, next_at: null })
      .where('id', '=', id)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    const fields = { report_id: id, name, reason };
    const nobody: Principal = { kind: 'anonymous', permissions: new Set() };
    await recordSuccess(transaction, byItself(nobody), 'EndReportSchedule', fields);
  });
  log.info({ report: id, reason }, 'the schedule of a report ended');
}

/** Context for work without a request. */
const byItself = (principal: Principal) => ({
  ...{ principal, requestId: randomUUID(), clientAddress: '', peerAddress: '' },
});
