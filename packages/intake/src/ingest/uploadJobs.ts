/** Reads upload jobs and the results of their files. Their statuses change only in `jobStatus.ts`. */

import { type ListQuery, tablePage } from '@clew/common';
import type { Db, IngestTaskTable, UploadJobTable } from '@clew/store';
import { type Selectable, sql } from 'kysely';

export type UploadJob = Selectable<UploadJobTable>;
export type CompletedTask = Selectable<IngestTaskTable>;

export async function findUploadJob(db: Db, id: number): Promise<UploadJob | undefined> {
  return db.selectFrom('upload_job').selectAll().where('id', '=', id).executeTakeFirst();
}

/** @returns the page, and the number of jobs that match the filters. Batches of collectors are excluded. */
export async function listUploadJobs(
  db: Db,
  list: ListQuery,
  page: { readonly skip: number; readonly limit: number },
): Promise<{ readonly count: number; readonly jobs: readonly UploadJob[] }> {
  const { count, rows } = await tablePage(db, {
    table: 'upload_job',
    list,
    page,
    conditions: [sql`client_id is null`],
    zeroIsAll: true,
  });
  return { count, jobs: rows };
}

/** One entry per processed file, even while the job is still being ingested. */
export async function completedTasks(db: Db, jobId: number): Promise<readonly CompletedTask[]> {
  return db.selectFrom('ingest_task').selectAll().where('job_id', '=', jobId).orderBy('number').execute();
}

/** For ended jobs: their data remains in the graph. @param transaction makes the deletion atomic */
export async function deleteUploadJobs(transaction: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  for (const table of ['ingest_task', 'upload_file'] as const)
    await transaction.deleteFrom(table).where('job_id', '=', sql<number>`any(${ids}::bigint[])`).execute();
  await transaction.deleteFrom('upload_job').where('id', '=', sql<number>`any(${ids}::bigint[])`).execute();
}
