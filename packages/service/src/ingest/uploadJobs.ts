/** Upload jobs and what became of their files, as they are read. Their statuses change in `jobStatus.ts` only. */
import type { Db, IngestTaskTable, UploadJobTable } from '@clew/store';
import type { Selectable } from 'kysely';
import { filterConditions, type ListQuery, sortOrders } from '../operation/lists/listQuery.ts';

export type UploadJob = Selectable<UploadJobTable>;
export type CompletedTask = Selectable<IngestTaskTable>;

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
  // 0 is no limit here, as in the public service.
  const all = sorted.orderBy('id').offset(page.skip);
  const jobs = await (page.limit === 0 ? all : all.limit(page.limit)).selectAll().execute();
  return { count, jobs };
}

/** One entry a processed file, also while the job is still being ingested. */
export async function completedTasks(db: Db, jobId: number): Promise<readonly CompletedTask[]> {
  return db.selectFrom('ingest_task').selectAll().where('job_id', '=', jobId).orderBy('number').execute();
}
