/** The tasks of a job: one per file, with its result. */
import type { ArchiveLimits } from '@clew/collections';
import { storableJson, storableText, surroundingsFault } from '@clew/store';
import type pg from 'pg';
import { type FileResult, faultyFile } from './fileReport.ts';
import { type JobFile, openJobFiles } from './jobFiles.ts';

const GIVEN_UP =
  'the upload job failed because of an internal error, and no facts of this file are in the graph';

type NamedFile = Pick<JobFile, 'name' | 'parentName'>;

export async function writeTask(
  to: Pick<pg.ClientBase, 'query'>,
  jobId: number,
  number: number,
  file: NamedFile,
  { outcome, errors, report }: FileResult,
): Promise<void> {
  await to.query(
    `insert into ingest_task (job_id, number, file_name, parent_file_name, outcome, errors, report)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      jobId,
      number,
      storableText(file.name),
      storableText(file.parentName),
      outcome,
      errors.map(storableText),
      storableJson(report).json,
    ],
  );
}

/**
 * Marks all files of a job that was given up as failed, including files that were read.
 * @returns the number of files
 */
export async function failTasks(
  pool: pg.Pool,
  jobId: number,
  limits: Partial<ArchiveLimits>,
): Promise<number> {
  const files = await namesOf(pool, jobId, limits);
  await pool.query('delete from ingest_task where job_id = $1', [jobId]);
  const result = faultyFile({ code: 'job-failed', message: GIVEN_UP });
  for (const [number, file] of files.entries()) await writeTask(pool, jobId, number, file, result);
  return files.length;
}

/** The job may have failed because its archives cannot be opened; then the uploaded files are named instead. */
async function namesOf(pool: pg.Pool, jobId: number, limits: Partial<ArchiveLimits>): Promise<NamedFile[]> {
  try {
    await using jobFiles = await openJobFiles(pool, jobId, limits);
    return [...jobFiles.files];
  } catch (error) {
    if (surroundingsFault(error) !== undefined) throw error;
    const { rows } = await pool.query<{ name: string }>(
      'select name from upload_file where job_id = $1 and complete order by name, sha256, id',
      [jobId],
    );
    return rows.map(({ name }) => ({ name, parentName: '' }));
  }
}
