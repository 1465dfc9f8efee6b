/**
 * Creates jobs for due runs of schedules, both when a collector polls and during housekeeping. Each schedule has
 * at most one waiting job: if the collector does not fetch it, no more jobs are added.
 */
import { JOB_STATUS } from '@clew/api';
import type { CollectionEventTable, Db } from '@clew/store';
import { type Selectable, sql } from 'kysely';
import type { Scope } from './collectionScope.ts';
import { createJob } from './collectorJobs.ts';
import { writeLog } from './jobLog.ts';
import { nextRun } from './recurrence.ts';

export type CollectionEvent = Selectable<CollectionEventTable>;

/** The job log mentions delays longer than this. */
const LATE_MS = 10 * 60_000;

/** @param clientId all clients if absent @returns the number of created jobs */
export async function makeDueJobs(db: Db, now: Date, clientId?: string): Promise<number> {
  // Fast path: collectors poll every few seconds, and nearly always nothing is due.
  if (!(await isAnythingDue(db, now, clientId))) return 0;
  return db.transaction().execute(async (transaction) => {
    let due = transaction
      .selectFrom('collection_event as event')
      .innerJoin('collector_client as client', 'client.id', 'event.client_id')
      .selectAll('event')
      .select(['client.name', 'client.domain_controller'])
      .where('next_scheduled_at', '<=', now.toISOString())
      .forUpdate('event')
      .skipLocked();
    if (clientId !== undefined) due = due.where('client.id', '=', clientId);
    let made = 0;
    for (const event of await due.execute()) {
      if ((await makeJob(transaction, event, now)) !== undefined) made++;
      await transaction
        .updateTable('collection_event')
        .set({ next_scheduled_at: nextOrNever(event.rrule, now) })
        .where('id', '=', event.id)
        .execute();
    }
    return made;
  });
}

async function isAnythingDue(db: Db, now: Date, clientId: string | undefined): Promise<boolean> {
  let due = db
    .selectFrom('collection_event')
    .select('id')
    .where('next_scheduled_at', '<=', now.toISOString());
  if (clientId !== undefined) due = due.where('client_id', '=', clientId);
  return (await due.limit(1).executeTakeFirst()) !== undefined;
}

type DueEvent = CollectionEvent & { readonly name: string; readonly domain_controller: string | null };

async function makeJob(transaction: Db, event: DueEvent, now: Date): Promise<number | undefined> {
  const { id, client_id, name, domain_controller, next_scheduled_at, rrule: _, ...rest } = event;
  const { created_at: __, updated_at: ___, ...scope } = rest;
  const planned = next_scheduled_at as string;
  const jobId = await createJob(
    transaction,
    { id: client_id, name, domain_controller },
    { executionTime: planned, scope, event: { id, title: `${name}: schedule ${id}` } },
  );
  if (jobId === undefined) {
    await noteSkipped(transaction, id, planned);
    return undefined;
  }
  const isLate = now.getTime() - Date.parse(planned) > LATE_MS;
  const text = isLate
    ? `created by schedule ${id}, later than planned (${planned})`
    : `created by schedule ${id}`;
  await writeLog(transaction, jobId, text, { always: true });
  return jobId;
}

async function noteSkipped(transaction: Db, eventId: number, planned: string): Promise<void> {
  const waiting = await transaction
    .selectFrom('collector_job')
    .select('id')
    .where('event_id', '=', eventId)
    .where('status', '=', JOB_STATUS.ready)
    .executeTakeFirst();
  if (waiting === undefined) return;
  await writeLog(
    transaction,
    waiting.id,
    `the run of ${planned} was skipped: this job is still waiting for its collector`,
  );
}

/** A stored rule that no longer has any runs never runs again. */
function nextOrNever(rule: string, now: Date): Date | null {
  try {
    return nextRun(rule, now) ?? null;
  } catch {
    return null;
  }
}

/** Updates the waiting job of a schedule to the current settings of the schedule. */
export async function changeWaitingJob(transaction: Db, eventId: number, scope: Scope): Promise<void> {
  await transaction
    .updateTable('collector_job')
    .set({ ...scope, updated_at: sql`clock_timestamp()` })
    .where('event_id', '=', eventId)
    .where('status', '=', JOB_STATUS.ready)
    .execute();
}

/** Deletes the waiting jobs of a deleted schedule. */
export async function removeWaitingJob(transaction: Db, eventId: number): Promise<void> {
  await transaction
    .deleteFrom('collector_job')
    .where('event_id', '=', eventId)
    .where('status', '=', JOB_STATUS.ready)
    .execute();
}

/** Counts clients that are overdue: a job waits for them, or they have connected before and are now silent. */
export async function countClients(db: Db): Promise<{
  readonly all: number;
  readonly neverSeen: number;
  readonly overdue: number;
}> {
  const { rows } = await sql<{ all: number; never_seen: number; overdue: number }>`
    select count(*) as all,
      count(*) filter (where last_checkin < '0002-01-01') as never_seen,
      count(*) filter (where exists (
          select from collector_job job where job.client_id = client.id and job.status = ${JOB_STATUS.ready}
            and execution_time < now() - interval '1 hour')
        or (last_checkin >= '0002-01-01' and last_checkin < now() - interval '1 hour')) as overdue
    from collector_client client`.execute(db);
  const [{ all, never_seen, overdue }] = rows;
  return { all: Number(all), neverSeen: Number(never_seen), overdue: Number(overdue) };
}

/** @returns the number of collector jobs by status */
export async function countCollectorJobs(db: Db): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('collector_job_view')
    .select((eb) => ['status', eb.fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute();
  return new Map(rows.map(({ status, count }) => [status, Number(count)]));
}
