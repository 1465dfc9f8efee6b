/** What has to be done now and then: give up on abandoned uploads, and forget sessions that were not seen again. */
import { expireSamples } from '../ingest/expireSamples.ts';
import { removeAbandonedUploads } from '../ingest/storeUpload.ts';
import { expireUploadJobs } from '../ingest/uploadJobs.ts';
import type { Database } from '../store/database.ts';
import { factsChanged } from './wake.ts';

export async function keepHouse({ db }: Database, sessionDays: number): Promise<void> {
  await expireUploadJobs(db);
  await removeAbandonedUploads(db);
  await db.transaction().execute(async (transaction) => {
    if ((await expireSamples(transaction, sessionDays)) > 0) await factsChanged(transaction);
  });
}
