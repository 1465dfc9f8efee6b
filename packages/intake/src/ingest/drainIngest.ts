/**
 * Ingests all waiting jobs, oldest first, one at a time in the whole installation. The lock belongs to a database
 * session: it is released when its worker dies, and the next worker continues from the state in the tables.
 */
import { parseTraceparent, traced } from '@clew/common';
import { AdvisoryLock, type Db, ServerClient, surroundingsFault } from '@clew/store';
import { type IngestContext, IngestSession, ingestJob } from './ingestJob.ts';
import { failTasks } from './ingestTasks.ts';
import { giveUp, JobCanceled, nextJobToIngest, noteObstacle } from './jobStatus.ts';
import type { UploadJob } from './uploadJobs.ts';

/** Number of worker crashes after which the job is considered the cause. */
const MAX_ATTEMPTS = 50;
/** Maximum number of failures of the job itself, excluding external causes. */
const MAX_FAILURES = 3;

/** @throws the error that ended the work; the next call restarts its job */
export async function drainIngest(context: IngestContext): Promise<void> {
  const client = new ServerClient(context.database.connection);
  // A broken connection is reported by the query that used it.
  client.on('error', () => {});
  await client.connect();
  try {
    await prepareSession(client);
    await drainOn(client, context);
  } finally {
    await client.end().catch(() => {});
  }
}

/** @param client a session of its own, which gets the lock and keeps it */
export async function drainOn(client: ServerClient, context: IngestContext): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [AdvisoryLock.ingest]);
  await noteObstacle(context.database.db, 'ingest', undefined);
  const session = new IngestSession(client, context.database.pool);
  const next = async () => {
    await context.betweenJobs(client);
    return nextJobToIngest(context.database.db);
  };
  for (let job = await next(); job !== undefined; job = await next()) {
    context.signal.throwIfAborted();
    const current = job;
    const parent = parseTraceparent(job.traceparent ?? undefined);
    await traced('ingest', { attributes: { 'clew.job': job.id }, ...(parent && { parent }) }, () =>
      attempt(context, session, current),
    );
  }
}

/**
 * A connection pooler reuses sessions. The session may contain temporary tables with another schema. Once a
 * session has used temporary tables, the size of their buffers cannot change, and the previous size is good
 * enough.
 */
async function prepareSession(client: ServerClient): Promise<void> {
  await client.query('discard temp');
  await client.query("set temp_buffers = '32MB'").catch((error) => {
    if ((error as { code?: string }).code !== INVALID_PARAMETER_VALUE) throw error;
  });
}

/** SQLSTATE (PostgreSQL manual, appendix A). */
const INVALID_PARAMETER_VALUE = '22023';

async function attempt(context: IngestContext, session: IngestSession, job: UploadJob): Promise<void> {
  const { db } = context.database;
  if (job.attempts >= MAX_ATTEMPTS) return end(context, job, 'the worker stopped during every attempt');
  await countAttempts(db, job, job.attempts + 1);
  try {
    await ingestJob(context, session, job);
  } catch (error) {
    if (error instanceof JobCanceled) return context.log.info({ job: job.id }, 'an upload job was canceled');
    // Neither the job nor the worker caused the error, so the attempt does not count.
    if (context.signal.aborted || surroundingsFault(error) !== undefined) {
      await countAttempts(db, job, job.attempts).catch(() => {});
      throw error;
    }
    context.log.error({ err: error, job: job.id }, 'an upload job could not be ingested');
    if (job.failures + 1 >= MAX_FAILURES) return end(context, job, (error as Error).message);
    await db
      .updateTable('upload_job')
      .set({ failures: job.failures + 1 })
      .where('id', '=', job.id)
      .execute();
    throw error;
  }
}

async function countAttempts(db: Db, { id }: UploadJob, attempts: number): Promise<void> {
  await db.updateTable('upload_job').set({ attempts }).where('id', '=', id).execute();
}

async function end(context: IngestContext, job: UploadJob, reason: string): Promise<void> {
  const { database, limits, log } = context;
  log.error({ job: job.id, reason }, 'gave up on an upload job');
  let files: number | undefined;
  try {
    files = await failTasks(database.pool, job.id, limits.archive);
  } catch (error) {
    if (surroundingsFault(error) !== undefined) throw error;
    // The same error may affect the tasks of the job, but the job has to end anyway.
    log.error({ err: error, job: job.id }, 'could not record the files of an upload job as failed');
  }
  await giveUp(database.db, job.id, files);
}
