/**
 * State machine of collector jobs. Each transition is a function of this module, except for those of ingest: once the
 * collector has ended a job, the job has the status of its upload job (`collector_job_view`, `ingest/jobStatus.ts`).
 *
 *   ready       waits for its collector
 *     -> running       the collector started it (`startJob`)
 *     -> canceled      a user canceled it (`cancelJob`); it is deleted with its schedule or its client
 *   running     the collector collects and sends batches; a client runs one job at a time
 *     -> ingesting     the collector ended it, COMPLETE (`endJob`)
 *     -> failed        the collector ended it, FAILED (`endJob`), or started another one (`startJob`)
 *     -> timedOut      20 minutes without contact from the collector (`expireJobs`)
 *     -> canceled      a user canceled it, or deleted the client (`cancelJob`, `cancelJobsOf`)
 *   ingesting -> analyzing -> complete | partiallyComplete | failed | canceled, like its upload job; also partially
 *               complete if the service rejected a batch
 *
 * Batches that a run sent before it failed or timed out are ingested, because their data is valid. Nothing of a
 * canceled run is kept.
 */
import { type EndJobRequest, FINAL_JOB_STATUSES, JOB_STATUS, RESULT_COUNTS, ZERO_TIME } from '@clew/api';
import { apiError, storableText } from '@clew/common';
import type { CollectorClientTable, CollectorJobTable, CollectorJobViewTable, Db } from '@clew/store';
import { type Selectable, sql } from 'kysely';
import { cancelUploadJob, createUploadJob, endUploadJob } from '../ingest/jobStatus.ts';
import { deleteUploadJobs } from '../ingest/uploadJobs.ts';
import type { Scope } from './collectionScope.ts';
import { writeCollectorLog, writeLog } from './jobLog.ts';

export type CollectorClientRow = Selectable<CollectorClientTable>;
export type CollectorJob = Selectable<CollectorJobTable>;
export type ShownJob = Selectable<CollectorJobViewTable>;

const INACTIVITY_MINUTES = 20;
const TIMED_OUT = `No contact with the collector for ${INACTIVITY_MINUTES} minutes`;
const ORPHANED = 'Orphaned: the collector started another job';

const NOW = sql<string>`clock_timestamp()`;

interface NewJob {
  readonly executionTime: Date | string;
  readonly scope: Scope;
  readonly domainController?: string | null;
  readonly event?: { readonly id: number; readonly title: string };
}

/** @returns the id of a waiting job; `undefined` if a job of the same schedule is already waiting */
export async function createJob(
  db: Db,
  client: Pick<CollectorClientRow, 'id' | 'name' | 'domain_controller'>,
  { executionTime, scope, domainController, event }: NewJob,
): Promise<number | undefined> {
  const job = await db
    .insertInto('collector_job')
    .values({
      ...scope,
      client_id: client.id,
      client_name: client.name,
      event_id: event?.id ?? null,
      event_title: event?.title ?? '',
      execution_time: executionTime,
      domain_controller: domainController ?? client.domain_controller ?? '',
      status: JOB_STATUS.ready,
    })
    .onConflict((conflict) => conflict.column('event_id').where('status', '=', JOB_STATUS.ready).doNothing())
    .returning('id')
    .executeTakeFirst();
  return job?.id;
}

/** Serializes the work for one client. @param transaction releases the lock when it ends */
export async function lockClient(transaction: Db, clientId: string): Promise<CollectorClientRow> {
  const client = await transaction
    .selectFrom('collector_client')
    .selectAll()
    .where('id', '=', clientId)
    .forUpdate()
    .executeTakeFirst();
  if (client === undefined) throw apiError('resourceNotFound');
  return client;
}

export async function currentJob(db: Db, clientId: string): Promise<CollectorJob | undefined> {
  return db
    .selectFrom('collector_job')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('status', '=', JOB_STATUS.running)
    .executeTakeFirst();
}

/** @returns the job that the client started last, in any status */
export async function latestJob(db: Db, clientId: string): Promise<CollectorJob | undefined> {
  return db
    .selectFrom('collector_job')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('upload_job_id', 'is not', null)
    .orderBy('start_time', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/**
 * Starts a job. If the client is already running it, it continues; any other running job of the client is
 * orphaned.
 * @throws ApiError 404 for a job of another client, 400 for a job that is not waiting
 */
export async function startJob(db: Db, clientId: string, jobId: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const client = await lockClient(transaction, clientId);
    const job = await transaction
      .selectFrom('collector_job')
      .select(['id', 'status'])
      .where('id', '=', jobId)
      .where('client_id', '=', clientId)
      .executeTakeFirst();
    if (job === undefined) throw apiError('resourceNotFound');
    if (job.status === JOB_STATUS.running) return;
    if (job.status !== JOB_STATUS.ready) throw apiError('jobNotReady');
    const forgotten = await currentJob(transaction, clientId);
    if (forgotten !== undefined)
      await handOver(transaction, forgotten, { status: JOB_STATUS.failed, message: ORPHANED });
    await begin(transaction, client, jobId);
  });
}

/** Title of the job to which Clew's own collector sends changes, one job per day. */
const CHANGES = 'Changes';

/**
 * Creates a job for a client that sends data without one; changes of one day share a job. @returns the id of the
 * job
 */
export async function startAdHocJob(
  transaction: Db,
  client: CollectorClientRow,
  uploadJobId: number,
): Promise<number> {
  const watches = client.type === 'clew';
  const reopened = watches ? await reopenChanges(transaction, client.id, uploadJobId) : undefined;
  if (reopened !== undefined) return reopened;
  const { id } = await transaction
    .insertInto('collector_job')
    .values({
      client_id: client.id,
      client_name: client.name,
      status: JOB_STATUS.running,
      ...(watches && { event_title: CHANGES }),
      execution_time: NOW,
      start_time: NOW,
      last_ingest: NOW,
      upload_job_id: uploadJobId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const text = watches
    ? `${client.name} sends changes: this job contains all changes of the day`
    : `${client.name} sends data without a job: this job was created for it`;
  await writeLog(transaction, id, text, { always: true });
  return id;
}

/** Reopens today's job for changes, with a new upload job. */
async function reopenChanges(
  transaction: Db,
  clientId: string,
  uploadJobId: number,
): Promise<number | undefined> {
  const job = await transaction
    .selectFrom('collector_job')
    .select(['id', 'upload_job_id'])
    .where('client_id', '=', clientId)
    .where('event_title', '=', CHANGES)
    .where('status', '=', JOB_STATUS.ingesting)
    .where(sql<boolean>`start_time >= date_trunc('day', clock_timestamp(), 'UTC')`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (job === undefined) return undefined;
  const before = await transaction
    .selectFrom('upload_job')
    .select(['status', 'status_message'])
    .where('id', '=', job.upload_job_id)
    .executeTakeFirst();
  if (before?.status === JOB_STATUS.failed)
    await writeLog(transaction, job.id, `earlier changes could not be ingested: ${before.status_message}`);
  await transaction
    .updateTable('collector_job')
    .set({
      ...{ status: JOB_STATUS.running, status_message: '', upload_job_id: uploadJobId },
      ...{ end_time: ZERO_TIME, last_ingest: NOW, updated_at: NOW },
    })
    .where('id', '=', job.id)
    .execute();
  return job.id;
}

async function begin(transaction: Db, client: CollectorClientRow, jobId: number): Promise<void> {
  const upload = await createUploadJob(transaction, {
    userId: null,
    emailAddress: null,
    clientId: client.id,
  });
  await transaction
    .updateTable('collector_job')
    .set({
      status: JOB_STATUS.running,
      start_time: NOW,
      last_ingest: NOW,
      updated_at: NOW,
      upload_job_id: upload.id,
    })
    .where('id', '=', jobId)
    .execute();
  const what = [client.name, client.version, client.hostname, client.ip_address].filter(
    (part) => part !== '' && part !== null,
  );
  await writeLog(transaction, jobId, `started by ${what.join(', ')}`, { always: true });
}

/**
 * Ends the current job of a client. Does nothing if the job has already ended, because the client may repeat a
 * call whose response was lost, or a user may have canceled the job.
 * @returns the id of the job
 * @throws ApiError 404 if the client never started a job
 */
export async function endJob(db: Db, clientId: string, request: EndJobRequest): Promise<number> {
  const { message, domain_results, log } = request;
  // Collectors also write the status in lower case.
  const status = request.status.toUpperCase();
  if (status !== 'COMPLETE' && status !== 'FAILED')
    throw apiError('invalidEndStatus', { status: request.status.slice(0, 100) });
  return db.transaction().execute(async (transaction) => {
    await lockClient(transaction, clientId);
    const job = await currentJob(transaction, clientId);
    if (job === undefined) {
      const latest = await latestJob(transaction, clientId);
      if (latest === undefined) throw apiError('resourceNotFound');
      return latest.id;
    }
    if (log) await writeCollectorLog(transaction, job.id, log);
    await storeResults(transaction, job.id, domain_results ?? []);
    await handOver(transaction, job, {
      status: status === 'COMPLETE' ? JOB_STATUS.ingesting : JOB_STATUS.failed,
      message: storableText(message ?? ''),
    });
    return job.id;
  });
}

interface End {
  readonly status: 3 | 4 | 5 | 6;
  readonly message: string;
}

const ENDS: Readonly<Record<End['status'], string>> = {
  [JOB_STATUS.canceled]: 'canceled',
  [JOB_STATUS.timedOut]: 'timed out',
  [JOB_STATUS.failed]: 'failed',
  [JOB_STATUS.ingesting]: 'ended by the collector',
};

/** Ends a run. Its batches are ingested unless the run was canceled. */
async function handOver(transaction: Db, job: CollectorJob, { status, message }: End): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable('collector_job')
    .set({ status, status_message: message, end_time: NOW, updated_at: NOW })
    .where('id', '=', job.id)
    .where('status', '=', job.status)
    .executeTakeFirst();
  // The job ended in another way in the meantime.
  if (numUpdatedRows === 0n) return;
  const text = message === '' ? ENDS[status] : `${ENDS[status]}: ${message}`;
  await writeLog(transaction, job.id, text, { always: true });
  if (job.upload_job_id === null) return;
  const { batches } = await transaction
    .selectFrom('upload_file')
    .select((eb) => eb.fn.countAll<number>().as('batches'))
    .where('job_id', '=', job.upload_job_id)
    .where('complete', '=', true)
    .executeTakeFirstOrThrow();
  const isKept = status === JOB_STATUS.ingesting || (status !== JOB_STATUS.canceled && Number(batches) > 0);
  if (isKept) await endUploadJob(transaction, job.upload_job_id);
  else await cancelUploadJob(transaction, job.upload_job_id);
  const rest = isKept ? `${batches} batches are sent to ingest` : `${batches} batches are discarded`;
  await writeLog(transaction, job.id, rest, { always: true });
}

async function storeResults(
  transaction: Db,
  jobId: number,
  results: NonNullable<EndJobRequest['domain_results']>,
): Promise<void> {
  if (results.length === 0) return;
  await transaction
    .insertInto('collector_job_result')
    .values(
      results.map((result) => ({
        job_id: jobId,
        domain_name: storableText(result.domain_name),
        success: result.success,
        message: storableText(result.message ?? ''),
        counts: JSON.stringify(Object.fromEntries(RESULT_COUNTS.map((name) => [name, result[name] ?? 0]))),
      })),
    )
    .execute();
  for (const { domain_name, success, message } of results) {
    const text = `domain ${domain_name}: ${success ? 'collected' : 'not collected'}${message ? `, ${message}` : ''}`;
    await writeCollectorLog(transaction, jobId, text);
  }
}

/**
 * @param who named in the log
 * @throws ApiError 404 for an unknown job, 400 for a job that has ended
 */
export async function cancelJob(transaction: Db, jobId: number, who: string): Promise<void> {
  const job = await transaction
    .selectFrom('collector_job')
    .selectAll()
    .where('id', '=', jobId)
    .forUpdate()
    .executeTakeFirst();
  if (job === undefined) throw apiError('resourceNotFound');
  const end: End = { status: JOB_STATUS.canceled, message: `Canceled by ${who}` };
  if (job.status === JOB_STATUS.ready || job.status === JOB_STATUS.running)
    return handOver(transaction, job, end);
  const shown = await findShownJob(transaction, jobId);
  if (shown?.status !== JOB_STATUS.ingesting || job.upload_job_id === null)
    throw apiError('collectorJobNotCancelable');
  await cancelUploadJob(transaction, job.upload_job_id);
  await writeLog(transaction, jobId, `canceled: ${end.message}`, { always: true });
}

/** Must be called before a client is deleted: cancels its running jobs and deletes its waiting jobs. */
export async function cancelJobsOf(transaction: Db, clientId: string): Promise<void> {
  await transaction
    .deleteFrom('collector_job')
    .where('client_id', '=', clientId)
    .where('status', '=', JOB_STATUS.ready)
    .execute();
  const running = await currentJob(transaction, clientId);
  if (running === undefined) return;
  const message = 'Canceled: its client was removed';
  await handOver(transaction, running, { status: JOB_STATUS.canceled, message });
}

/** Times out runs whose collector is no longer active. @returns the number of runs */
export async function expireJobs(db: Db): Promise<number> {
  const silent = await db
    .selectFrom('collector_job as job')
    .innerJoin('collector_client as client', 'client.id', 'job.client_id')
    .select(['job.id', 'client.id as client_id'])
    .where('job.status', '=', JOB_STATUS.running)
    .where(isSilent())
    .execute();
  let expired = 0;
  for (const { id, client_id } of silent) {
    await db.transaction().execute(async (transaction) => {
      await lockClient(transaction, client_id);
      const job = await currentJob(transaction, client_id);
      if (job?.id !== id) return;
      await handOver(transaction, job, { status: JOB_STATUS.timedOut, message: TIMED_OUT });
      expired++;
    });
  }
  return expired;
}

const isSilent = () =>
  sql<boolean>`greatest(client.last_checkin, job.last_ingest, job.start_time)
    < clock_timestamp() - make_interval(mins => ${INACTIVITY_MINUTES})`;

/**
 * Deletes jobs that ended this many days ago, with their logs and the records of their batches.
 * @param days 0 keeps all jobs
 * @returns the number of deleted jobs
 */
export async function pruneJobs(transaction: Db, days: number): Promise<number> {
  if (days === 0) return 0;
  const { rows } = await sql<{ upload_job_id: number | null }>`
    delete from collector_job where id in (
      select id from collector_job_view
      where status = any (${FINAL_JOB_STATUSES}::smallint[]) and end_time < now() - make_interval(days => ${days})
    ) returning upload_job_id`.execute(transaction);
  // A job for changes has had several upload jobs, and refers only to the last one.
  const { rows: replaced } = await sql<{ id: number }>`
    select id from upload_job
    where client_id is not null and status = any (${FINAL_JOB_STATUSES}::smallint[])
      and end_time < now() - make_interval(days => ${days})
      and not exists (select 1 from collector_job job where job.upload_job_id = upload_job.id)`.execute(
    transaction,
  );
  await deleteUploadJobs(transaction, [
    ...rows.flatMap(({ upload_job_id }) => upload_job_id ?? []),
    ...replaced.map(({ id }) => id),
  ]);
  return rows.length;
}

export async function findShownJob(db: Db, jobId: number): Promise<ShownJob | undefined> {
  return db.selectFrom('collector_job_view').selectAll().where('id', '=', jobId).executeTakeFirst();
}
