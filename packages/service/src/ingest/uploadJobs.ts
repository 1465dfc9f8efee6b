/**
 * Upload jobs: their statuses and how they move between them. Rule: shared reference `api-behaviour.md` 7.3, 7.4.
 *
 *   running -end-> ingesting -all files merged-> analyzing -published-> complete | partiallyComplete | failed
 *   running -20 minutes without activity-> timedOut
 *   ingesting -every file failed-> failed (nothing changed, so there is nothing to wait for)
 */
import { JOB_STATUS } from '@clew/api';
import { type Db, type IngestTaskTable, type UploadJobTable, wake } from '@clew/store';
import { type Selectable, sql } from 'kysely';
import { apiError } from '../operation/apiError.ts';
import { filterConditions, type ListQuery, sortOrders } from '../operation/lists/listQuery.ts';

export type UploadJob = Selectable<UploadJobTable>;
export type CompletedTask = Selectable<IngestTaskTable>;

/** Who a job belongs to: a user, or a collector. */
export interface JobOwner {
  readonly userId: string | null;
  readonly emailAddress: string | null;
  readonly clientId?: string;
}

const INACTIVITY_MINUTES = 20;
const TIMED_OUT = `Ingest timeout: No ingest activity observed in ${INACTIVITY_MINUTES.toFixed(6)} minutes. Upload incomplete.`;

export async function createUploadJob(db: Db, owner: JobOwner): Promise<UploadJob> {
  // One moment for all four, so that they are equal.
  const now = sql<string>`transaction_timestamp()`;
  return db
    .insertInto('upload_job')
    .values({
      user_id: owner.userId,
      user_email_address: owner.emailAddress ?? '',
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

export async function findUploadJob(db: Db, id: number): Promise<UploadJob | undefined> {
  return db.selectFrom('upload_job').selectAll().where('id', '=', id).executeTakeFirst();
}

/** @returns the page, and the number of jobs that fit the filters. Batches of collectors are not among them. */
export async function listUploadJobs(
  db: Db,
  { filters, sorts }: ListQuery,
  page: { readonly skip: number; readonly limit: number },
): Promise<{ readonly count: number; readonly jobs: readonly UploadJob[] }> {
  const fitting = db
    .selectFrom('upload_job')
    .where('client_id', 'is', null)
    .where((eb) => eb.and(filterConditions(filters)));
  const { count } = await fitting
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const sorted = sortOrders(sorts).reduce((query, order) => query.orderBy(order), fitting);
  const jobs = await sorted.orderBy('id').offset(page.skip).limit(page.limit).selectAll().execute();
  return { count, jobs };
}

/** One entry a processed file, also while the job is still being ingested. */
export async function completedTasks(db: Db, jobId: number): Promise<readonly CompletedTask[]> {
  return db.selectFrom('ingest_task').selectAll().where('job_id', '=', jobId).orderBy('number').execute();
}

/**
 * No more files: the job goes to ingest, in the same transaction as its status.
 * @throws ApiError when there is no such job or it is not running
 */
export async function endUploadJob(db: Db, id: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('upload_job')
      .set({
        status: JOB_STATUS.ingesting,
        end_time: sql`clock_timestamp()`,
        updated_at: sql`clock_timestamp()`,
      })
      .where('id', '=', id)
      .where('status', '=', JOB_STATUS.running)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) {
      throw (await findUploadJob(transaction, id))
        ? apiError('jobNotRunningForEnd')
        : apiError('resourceNotFound');
    }
    await wake(transaction, 'ingest');
  });
}

/** Gives up on jobs whose uploader went away. @returns how many. */
export async function expireUploadJobs(db: Db): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('upload_job')
    .set({
      status: JOB_STATUS.timedOut,
      status_message: TIMED_OUT,
      end_time: sql`clock_timestamp()`,
      updated_at: sql`clock_timestamp()`,
    })
    .where('status', '=', JOB_STATUS.running)
    .where('last_ingest', '<', sql<string>`clock_timestamp() - make_interval(mins => ${INACTIVITY_MINUTES})`)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
