/**
 * Ingests one upload job: its files are read and staged one after the other, then merged in one transaction together
 * with the status of the job. Until that commits nothing has happened, so an attempt that dies is simply begun again.
 */
import { JOB_STATUS } from '@clew/api';
import type { ArchiveLimits, ReadLimits } from '@clew/collections';
import type pg from 'pg';
import { AdvisoryLock } from '../store/advisoryLocks.ts';
import type { Database, DatabaseLog } from '../store/database.ts';
import { wakeOn } from '../worker/wake.ts';
import { type FileResult, faultyFile } from './fileReport.ts';
import { type JobFile, openJobFiles } from './jobFiles.ts';
import type { RefusedEdge } from './merge/matchedEdges.ts';
import { mergeStaged } from './merge/merge.ts';
import { JobOrigins, SourceNumbers } from './origins.ts';
import { stageFile } from './stageFile.ts';
import { ObjectIdDictionary } from './staging/dictionary.ts';
import { FactStager } from './staging/factStager.ts';
import { KindNames } from './staging/kindNames.ts';
import { StagingTables } from './staging/stagingTables.ts';
import type { UploadJob } from './uploadJobs.ts';

export interface IngestLimits {
  readonly archive: Partial<ArchiveLimits>;
  readonly read?: Partial<ReadLimits>;
}

export interface IngestContext {
  readonly database: Database;
  readonly limits: IngestLimits;
  readonly log: DatabaseLog;
  /** Aborts when the worker is to stop; the job is begun again by the next one. */
  readonly signal: AbortSignal;
}

/** One worker's hold on ingest. What it remembers of the database ends with it: the next may find another one. */
export class IngestSession {
  readonly client: pg.Client;
  readonly dictionary: ObjectIdDictionary;
  readonly kinds: KindNames;
  readonly sources: SourceNumbers;

  /** @param client a connection of its own, which holds the lock of ingest */
  constructor(client: pg.Client, pool: pg.Pool) {
    this.client = client;
    this.dictionary = new ObjectIdDictionary(pool);
    this.kinds = new KindNames(pool);
    this.sources = new SourceNumbers(pool);
  }
}

export async function ingestJob(
  context: IngestContext,
  session: IngestSession,
  job: UploadJob,
): Promise<void> {
  const { client } = session;
  const began = performance.now();
  const { pool } = context.database;
  await pool.query('delete from ingest_task where job_id = $1', [job.id]);
  await using jobFiles = await openJobFiles(pool, job.id, context.limits.archive);
  const origins = new JobOrigins(pool, job.end_time, job.client_id !== null);
  const stager = new FactStager(await StagingTables.create(client), session.dictionary, session.kinds);
  const results: FileResult[] = [];
  for (const [origin, file] of jobFiles.files.entries()) {
    const result = await ingestFile(context, session.sources, stager, origins, origin, file);
    await writeTask(pool, job.id, origin, file, result);
    results.push(result);
  }
  await stager.finish();
  await origins.write(client);
  const staged = performance.now();
  const changes = await mergeJob(client, job, results, origins);
  context.log.info(
    {
      job: job.id,
      files: results.length,
      objects: results.reduce((sum, { report }) => sum + report.objects.read + report.objects.repaired, 0),
      changes,
      stageMs: Math.round(staged - began),
      mergeMs: Math.round(performance.now() - staged),
    },
    'ingested an upload job',
  );
}

async function ingestFile(
  context: IngestContext,
  sources: SourceNumbers,
  stager: FactStager,
  origins: JobOrigins,
  origin: number,
  file: JobFile,
): Promise<FileResult> {
  if (file.source === undefined) {
    return faultyFile(file.fault ?? { code: 'damaged', message: 'the file cannot be read' });
  }
  const staged = await stageFile(file.source, file.sha256, {
    origin,
    stager,
    sourceId: (name) => sources.numberOf(name),
    limits: context.limits.read,
    signal: context.signal,
  });
  if (staged.sourceName !== undefined) {
    const sourceId = await sources.numberOf(staged.sourceName);
    stager.endFile(staged.seen, await origins.add(origin, sourceId, staged.sha256));
  }
  return staged;
}

/** @returns the number of facts that changed. */
async function mergeJob(
  client: pg.Client,
  job: UploadJob,
  results: readonly FileResult[],
  origins: JobOrigins,
): Promise<number> {
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [AdvisoryLock.facts]);
    const { changes, refusedEdges } = await mergeStaged(client);
    await origins.remember(client);
    await reportRefusedEdges(client, job.id, refusedEdges);
    await finishJob(client, job.id, results.length);
    await client.query(
      'delete from upload_chunk where file_id in (select id from upload_file where job_id = $1)',
      [job.id],
    );
    await wakeOn(client, 'build');
    await client.query('commit');
    return changes;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

async function writeTask(
  pool: pg.Pool,
  jobId: number,
  number: number,
  file: JobFile,
  { outcome, errors, report }: FileResult,
): Promise<void> {
  await pool.query(
    `insert into ingest_task (job_id, number, file_name, parent_file_name, outcome, errors, report)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [jobId, number, file.name, file.parentName, outcome, errors, JSON.stringify(report)],
  );
}

/** Edges whose ends were not found make a file partial. */
async function reportRefusedEdges(
  client: pg.Client,
  jobId: number,
  edges: readonly RefusedEdge[],
): Promise<void> {
  for (const edge of edges) {
    await client.query(
      `update ingest_task
       set errors = errors || $3::text, outcome = case outcome when 'ok' then 'partial' else outcome end
       where job_id = $1 and number = $2`,
      [jobId, edge.origin, `object ${edge.object_index}: ${edge.reason}`],
    );
  }
}

/** To analysis; a job of which nothing could be read has nothing to wait for. */
async function finishJob(client: pg.Client, jobId: number, total: number): Promise<void> {
  const { rows } = await client.query<{ failed: number; partial: number }>(
    `select count(*) filter (where outcome = 'failed') as failed, count(*) filter (where outcome = 'partial') as partial
     from ingest_task where job_id = $1`,
    [jobId],
  );
  const [failed, partial] = [Number(rows[0].failed), Number(rows[0].partial)];
  const allFailed = total > 0 && failed === total;
  await client.query(
    `update upload_job
     set total_files = $2, failed_files = $3, partial_files = $4, status = $5, status_message = $6,
         end_time = case when $7 then clock_timestamp() else end_time end, updated_at = clock_timestamp()
     where id = $1`,
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
}
