/**
 * State machine of upload jobs; each transition is a function of this module. Rule: `docs/reference/api.md#upload-jobs`.
 *
 *   running     files are received
 *     -> ingesting          the uploader ended it (`endUploadJob`)
 *     -> timedOut           20 minutes without activity (`expireUploadJobs`)
 *     -> canceled           a user canceled it (`cancelUploadJob`)
 *     -> failed             the same, or the uploader ended it, and all its files were refused; its message has the reasons
 *     -> failed             the uploader, other than a collector, ended it before one file had arrived completely
 *   ingesting   the worker reads and merges its files; while an external cause prevents this, the job's
 *               message names the cause (`noteObstacle`)
 *     -> analyzing          all files are merged (`finishIngest`)
 *     -> failed             every file failed, so nothing changed and no generation follows (`finishIngest`)
 *     -> failed             several attempts to ingest it failed (`giveUp`)
 *     -> canceled           a user canceled it (`cancelUploadJob`)
 *   failed      given up; its files are kept for a while
 *     -> ingesting          a user asked for it (`retryUploadJob`)
 *   analyzing   a generation with its facts is being built
 *     -> complete | partiallyComplete | failed   the generation is published (`finishJobs`); until then, its message names
 *               any external cause, as above
 *
 * Each function checks the current status, so that two workers cannot make the same transition twice.
 */
import { JOB_STATUS, NO_FILE_ACCEPTED, NO_FILE_RECEIVED } from '@clew/api';
import { type ApiError, apiError } from '@clew/common';
import { type Db, inTransaction, wake } from '@clew/store';
import { sql } from 'kysely';
import type pg from 'pg';
import { traceOfRequest } from './jobTraces.ts';
import { findUploadJob, type UploadJob } from './uploadJobs.ts';

/** The owner of a job: a user, or a collector. */
export interface JobOwner {
  readonly userId: string | null;
  readonly emailAddress: string | null;
  readonly clientId?: string;
}

const INACTIVITY_MINUTES = 20;
const TIMED_OUT = `Ingest timeout: No ingest activity observed in ${INACTIVITY_MINUTES.toFixed(6)} minutes. Upload incomplete.`;

const ENDED_NOW = { end_time: sql<string>`clock_timestamp()`, updated_at: sql<string>`clock_timestamp()` };

/** Thrown if a user canceled a job during ingest: its facts are discarded. */
export class JobCanceled extends Error {
  override readonly name = 'JobCanceled';
}

export async function createUploadJob(db: Db, owner: JobOwner): Promise<UploadJob> {
  // The same moment for all four columns.
  const now = sql<string>`transaction_timestamp()`;
  return db
    .insertInto('upload_job')
    .values({
      user_id: owner.userId,
      user_email_address: owner.emailAddress ?? null,
      client_id: owner.clientId ?? null,
      status: JOB_STATUS.running,
      start_time: now,
      last_ingest: now,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Ends the upload of a job's files: the job is passed to ingest, in the transaction that changes its status.
 * @throws ApiError if the job does not exist or is not running
 */
export async function endUploadJob(db: Db, id: number): Promise<void> {
  await inTransaction(db, async (transaction) => {
    // A file that becomes complete at the same time is either before this lock and counts, or is refused.
    await transaction.selectFrom('upload_job').select('id').where('id', '=', id).forUpdate().execute();
    if ((await failRefused(transaction, id)) || (await failWithoutFile(transaction, id))) return;
    const { numUpdatedRows } = await transaction
      .updateTable('upload_job')
      .set({
        status: JOB_STATUS.ingesting,
        status_message: '',
        traceparent: traceOfRequest(),
        ...ENDED_NOW,
      })
      .where('id', '=', id)
      .where('status', '=', JOB_STATUS.running)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw await refusalFor(transaction, id, 'jobNotRunningForEnd');
    await wake(transaction, 'ingest');
  });
}

/**
 * Times out jobs whose uploader is no longer active; jobs of collectors end with their run. @returns the number of
 * jobs
 */
export async function expireUploadJobs(db: Db): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('upload_job')
    .set({
      status: JOB_STATUS.timedOut,
      status_message: TIMED_OUT,
      ...ENDED_NOW,
    })
    .where('status', '=', JOB_STATUS.running)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('collector_job')
            .select('collector_job.id')
            .whereRef('upload_job_id', '=', 'upload_job.id')
            .where('collector_job.status', '=', JOB_STATUS.running),
        ),
      ),
    )
    .where('last_ingest', '<', sql<string>`clock_timestamp() - make_interval(mins => ${INACTIVITY_MINUTES})`)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/**
 * Cancels a job while its files are received or ingested. The worker stops within a second.
 * @throws ApiError if the job does not exist, or ingest has ended
 */
export async function cancelUploadJob(db: Db, id: number): Promise<void> {
  await inTransaction(db, async (transaction) => {
    if (await failRefused(transaction, id)) return;
    const { numUpdatedRows } = await transaction
      .updateTable('upload_job')
      .set({ status: JOB_STATUS.canceled, status_message: 'Canceled', ...ENDED_NOW })
      .where('id', '=', id)
      .where('status', 'in', [JOB_STATUS.running, JOB_STATUS.ingesting])
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw await refusalFor(transaction, id, 'jobNotCancelable');
    await wake(transaction, 'ingest');
  });
}

/** A longer message gets no more reasons. */
const MAX_MESSAGE = 1000;

/** Keeps why a file of a running job was refused, for the case that all are. */
export async function noteRefusal(db: Db, id: number, reason: string): Promise<void> {
  await db
    .updateTable('upload_job')
    .set({ status_message: sql<string>`concat_ws('; ', nullif(status_message, ''), ${reason}::text)` })
    .where('id', '=', id)
    .where('status', '=', JOB_STATUS.running)
    .where(sql<number>`length(status_message)`, '<', MAX_MESSAGE)
    .execute();
}

/** Ends a running job as failed if all its files were refused. @returns whether it did */
async function failRefused(transaction: Db, id: number): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('upload_job')
    .set({
      status: JOB_STATUS.failed,
      status_message: sql<string>`${NO_FILE_ACCEPTED}::text || status_message`,
      ...ENDED_NOW,
    })
    .where('id', '=', id)
    .where('status', '=', JOB_STATUS.running)
    .where('status_message', '!=', '')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('upload_file').select('upload_file.id').whereRef('job_id', '=', 'upload_job.id')),
      ),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends a running job as failed if no file arrived completely. A run of a collector can have no changes. @returns whether it did */
async function failWithoutFile(transaction: Db, id: number): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('upload_job')
    .set({ status: JOB_STATUS.failed, status_message: NO_FILE_RECEIVED, ...ENDED_NOW })
    .where('id', '=', id)
    .where('status', '=', JOB_STATUS.running)
    .where('client_id', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('upload_file')
            .select('upload_file.id')
            .whereRef('job_id', '=', 'upload_job.id')
            .where('complete', '=', true),
        ),
      ),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Retries a job that was given up.
 * @throws ApiError if the job does not exist, did not fail, or its files are no longer kept
 */
export async function retryUploadJob(db: Db, id: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('upload_job')
      .set({
        status: JOB_STATUS.ingesting,
        status_message: '',
        attempts: 0,
        failures: 0,
        traceparent: traceOfRequest(),
        updated_at: sql`clock_timestamp()`,
      })
      .where('id', '=', id)
      .where('status', '=', JOB_STATUS.failed)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('upload_file')
            .innerJoin('upload_chunk', 'upload_chunk.file_id', 'upload_file.id')
            .select('upload_file.id')
            .whereRef('upload_file.job_id', '=', 'upload_job.id'),
        ),
      )
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw await refusalFor(transaction, id, 'jobNotRetryable');
    await wake(transaction, 'ingest');
  });
}

async function refusalFor(
  db: Db,
  id: number,
  code: 'jobNotCancelable' | 'jobNotRetryable' | 'jobNotRunningForEnd',
): Promise<ApiError> {
  return apiError((await findUploadJob(db, id)) === undefined ? 'resourceNotFound' : code);
}

/** @returns the job to ingest next: the oldest of those with the fewest failures, so that no job blocks the others */
export async function nextJobToIngest(db: Db): Promise<UploadJob | undefined> {
  return db
    .selectFrom('upload_job')
    .selectAll()
    .where('status', '=', JOB_STATUS.ingesting)
    .orderBy('failures')
    .orderBy('end_time')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/** @returns whether the job still has to be ingested */
export async function isBeingIngested(db: Db, jobId: number): Promise<boolean> {
  const job = await findUploadJob(db, jobId);
  return job?.status === JOB_STATUS.ingesting;
}

/**
 * The steps that jobs wait for: their status, their message without an obstacle, and the first words of the sentence about
 * an obstacle.
 */
const WAITING_FOR = {
  ingest: { status: JOB_STATUS.ingesting, message: '', name: 'Ingest' },
  analysis: { status: JOB_STATUS.analyzing, message: 'Analyzing', name: 'The analysis' },
};

/** Shows the obstacle on every job that waits for this step, or removes it when the step continues. */
export async function noteObstacle(
  db: Db,
  task: keyof typeof WAITING_FOR,
  obstacle: string | undefined,
): Promise<void> {
  const { status, name, message: usual } = WAITING_FOR[task];
  const message = obstacle === undefined ? usual : `Waiting: ${obstacle}. ${name} continues automatically.`;
  await db
    .updateTable('upload_job')
    .set({ status_message: message })
    .where('status', '=', status)
    .where('status_message', '!=', message)
    .execute();
}

/**
 * Gives a job up, so that a job that cannot be ingested does not block all later ones. Its files are kept for a
 * while.
 * @param files number of its files, none of which is in the graph; absent if unknown
 */
export async function giveUp(db: Db, jobId: number, files?: number): Promise<void> {
  await db
    .updateTable('upload_job')
    .set({
      status: JOB_STATUS.failed,
      status_message: 'Ingest failed because of an internal error',
      ...(files === undefined ? {} : { total_files: files, failed_files: files }),
      ...ENDED_NOW,
    })
    .where('id', '=', jobId)
    .where('status', '=', JOB_STATUS.ingesting)
    .execute();
}

/** The files of a job that was given up can be ingested again for this many days. */
export const KEEP_GIVEN_UP_DAYS = 7;

/** Deletes the bytes of jobs that will never be ingested. @returns the number of files */
export async function removeUnneededBytes(db: Db): Promise<number> {
  const { rows } = await sql`
    with unneeded as (
      select file.id from upload_file file join upload_job job on job.id = file.job_id
      where job.status in (${JOB_STATUS.canceled}, ${JOB_STATUS.timedOut})
        or (job.status = ${JOB_STATUS.failed}
          and job.end_time < clock_timestamp() - make_interval(days => ${KEEP_GIVEN_UP_DAYS}))
    ), removed as (delete from upload_chunk where file_id in (select id from unneeded) returning file_id)
    select distinct file_id from removed`.execute(db);
  return rows.length;
}

/**
 * Moves a job to analysis, or ends it if none of its files could be read.
 * @throws JobCanceled if it is no longer being ingested
 */
export async function finishIngest(client: pg.ClientBase, jobId: number, total: number): Promise<void> {
  const { rows } = await client.query<{ failed: number; partial: number }>(
    `select count(*) filter (where outcome = 'failed') as failed, count(*) filter (where outcome = 'partial') as partial
     from ingest_task where job_id = $1`,
    [jobId],
  );
  const [failed, partial] = [Number(rows[0].failed), Number(rows[0].partial)];
  const allFailed = total > 0 && failed === total;
  const { rowCount } = await client.query(
    `update upload_job
     set total_files = $2, failed_files = $3, partial_files = $4, status = $5, status_message = $6,
         end_time = case when $7 then clock_timestamp() else end_time end, updated_at = clock_timestamp()
     where id = $1 and status = ${JOB_STATUS.ingesting}`,
    [
      jobId,
      total,
      failed,
      partial,
      allFailed ? JOB_STATUS.failed : JOB_STATUS.analyzing,
      allFailed ? 'All files failed to ingest as JSON Content' : 'Analyzing',
      allFailed,
    ],
  );
  if (rowCount === 0) throw new JobCanceled();
}

/** SQL for the ids of jobs that wait for a generation with their facts, oldest first. */
export const JOBS_BEING_ANALYZED = `select id::integer from upload_job where status = ${JOB_STATUS.analyzing} order by id`;

/** `partial`: some analysis rules failed; `failed`: the whole analysis failed. */
export type AnalysisOutcome = 'complete' | 'partial' | 'failed';

/** @param generation generation with their facts, or null */
export async function finishJobs(
  client: pg.ClientBase,
  jobIds: readonly number[],
  outcome: AnalysisOutcome,
  generation: number | null,
): Promise<void> {
  if (jobIds.length === 0) return;
  await client.query(
    `update upload_job
     set status = final.status, status_message = final.message, end_time = clock_timestamp(),
         updated_at = clock_timestamp(), generation = $3
     from (
       select id, case
         when $2 = 'failed' then ${JOB_STATUS.failed}
         when failed_files > 0 or partial_files > 0 or $2 = 'partial' then ${JOB_STATUS.partiallyComplete}
         else ${JOB_STATUS.complete} end as status, case
         when $2 = 'failed' then 'Analysis failed'
         when failed_files > 0 then failed_files || ' File(s) failed to ingest as JSON Content'
         when partial_files > 0 then partial_files || ' File(s) partially failed to ingest as JSON Content'
         when $2 = 'partial' then 'Partially Completed'
         else 'Complete' end as message
       from upload_job
     ) final
     where upload_job.id = final.id and upload_job.id = any ($1) and upload_job.status = ${JOB_STATUS.analyzing}`,
    [jobIds, outcome, generation],
  );
}
