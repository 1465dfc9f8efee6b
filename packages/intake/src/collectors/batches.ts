/**
 * Batches from collectors. Each batch is stored before it is acknowledged, and only once per content and run,
 * because collectors may resend acknowledged batches. All batches of a run are ingested together when it ends.
 */

import type { Readable } from 'node:stream';
import { JOB_STATUS } from '@clew/api';
import { ApiError, notReady } from '@clew/common';
import { counted } from '@clew/model';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import { createUploadJob } from '../ingest/jobStatus.ts';
import { hasBatch, type StoredFile, storeUpload, type UploadLimits } from '../ingest/storeUpload.ts';
import { deleteUploadJobs } from '../ingest/uploadJobs.ts';
import { type CollectorJob, currentJob, latestJob, lockClient, startAdHocJob } from './collectorJobs.ts';
import { writeLog } from './jobLog.ts';

/** @throws ApiError 400 for an invalid batch, 503 if its job ended during the request */
export async function takeBatch(
  db: Db,
  clientId: string,
  stream: Readable,
  limits: UploadLimits,
): Promise<void> {
  const job = await currentJob(db, clientId);
  if (job !== undefined) return takeIntoJob(db, job, stream, limits);
  const latest = await latestJob(db, clientId);
  // Clew's own collector notices that its job was canceled, so its later batches do not belong to that job.
  const notices = latest !== undefined && (await isOwnCollector(db, clientId));
  if (latest?.status === JOB_STATUS.canceled && !notices) return discard(db, latest, stream);
  await takeWithoutJob(db, clientId, stream, limits);
}

async function isOwnCollector(db: Db, clientId: string): Promise<boolean> {
  const client = await db
    .selectFrom('collector_client')
    .select('type')
    .where('id', '=', clientId)
    .executeTakeFirst();
  return client?.type === 'clew';
}

async function takeIntoJob(db: Db, job: CollectorJob, stream: Readable, limits: UploadLimits): Promise<void> {
  try {
    const stored = await store(db, job.upload_job_id as number, stream, limits);
    await noteBatch(db, job.id, stored);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code !== 'jobNotRunningForFiles') {
      // Records the rejection, so that the run no longer counts as complete.
      if (error.status === 400) await noteRefusal(db, job.id, error);
      throw error;
    }
    const now = await latestJob(db, job.client_id as string);
    if (now?.status === JOB_STATUS.canceled) return noteDiscarded(db, now.id);
    // The batch is valid: if it is sent again, it gets a new job.
    throw notReady('the job ended while the batch was received; send it again', 5);
  }
}

const store = (db: Db, uploadJobId: number, stream: Readable, limits: UploadLimits): Promise<StoredFile> =>
  storeUpload(
    db,
    uploadJobId,
    { name: undefined, contentType: 'application/json', stream, isBatch: true },
    limits,
  );

async function noteBatch(db: Db, jobId: number, { size, isRepeated }: StoredFile): Promise<void> {
  await db
    .updateTable('collector_job')
    .set({ last_ingest: sql`clock_timestamp()` })
    .where('id', '=', jobId)
    .execute();
  await writeLog(db, jobId, isRepeated ? repeated(size) : `received a batch of ${counted(size, 'byte')}`);
}

/** Some collectors send each batch several times. */
const repeated = (size: number): string =>
  `discarded a batch of ${counted(size, 'byte')} that repeats another batch of this job`;

async function noteRefusal(db: Db, jobId: number, error: ApiError): Promise<void> {
  await db
    .updateTable('collector_job')
    .set({ refused_batches: sql`refused_batches + 1`, last_ingest: sql`clock_timestamp()` })
    .where('id', '=', jobId)
    .execute();
  const reasons = [error.message, ...error.details.slice(0, 3)].join('; ');
  await writeLog(db, jobId, `refused a batch: ${reasons}`);
}

/** The collector of a canceled job does not notice, and keeps sending. */
async function discard(db: Db, job: CollectorJob, stream: Readable): Promise<void> {
  for await (const _ of stream);
  await noteDiscarded(db, job.id);
}

const noteDiscarded = (db: Db, jobId: number): Promise<void> =>
  writeLog(db, jobId, 'discarded a batch: the job is canceled');

/** Drops a batch of the previous run that was resent; creates a job for any other batch. */
async function takeWithoutJob(
  db: Db,
  clientId: string,
  stream: Readable,
  limits: UploadLimits,
): Promise<void> {
  const upload = await createUploadJob(db, { userId: null, emailAddress: null, clientId });
  try {
    const stored = await store(db, upload.id, stream, limits);
    await db.transaction().execute(async (transaction) => {
      const client = await lockClient(transaction, clientId);
      const latest = await latestJob(transaction, clientId);
      const before = latest?.upload_job_id ?? null;
      if (latest !== undefined && before !== null && (await hasBatch(transaction, before, stored.sha256))) {
        await writeLog(transaction, latest.id, repeated(stored.size));
        return deleteUploadJobs(transaction, [upload.id]);
      }
      // Another batch may have created a job in the meantime.
      const current = await currentJob(transaction, clientId);
      if (current === undefined) {
        const jobId = await startAdHocJob(transaction, client, upload.id);
        return noteBatch(transaction, jobId, stored);
      }
      await transaction
        .updateTable('upload_file')
        .set({ job_id: current.upload_job_id as number })
        .where('id', '=', stored.id)
        .execute();
      await deleteUploadJobs(transaction, [upload.id]);
      await noteBatch(transaction, current.id, stored);
    });
  } catch (error) {
    await db
      .transaction()
      .execute((transaction) => deleteUploadJobs(transaction, [upload.id]))
      .catch(() => {});
    throw error;
  }
}
