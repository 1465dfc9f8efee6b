/**
 * What has to be done now and then: give up on abandoned uploads and runs of collectors, plan the next runs, prune what was not seen again, end acceptances of
 * risks, and look again at findings that come with time.
 */

import { type Database, type Db, factsChanged } from '@clew/store';
import { sql } from 'kysely';
import { expireJobs, pruneJobs } from '../collectors/collectorJobs.ts';
import { makeDueJobs } from '../collectors/schedules.ts';
import { expireAcceptances } from '../findings/acceptance.ts';
import { askForDailyRun } from '../findings/dailyRun.ts';
import { pruneDifferences } from '../history/storedDifferences.ts';
import { type AgingLimits, pruneStale } from '../housekeeping/prune.ts';
import { pruneAuditLog } from '../housekeeping/pruneAuditLog.ts';
import { pruneGoneSets } from '../housekeeping/pruneGoneSets.ts';
import { expireUploadJobs, removeUnneededBytes } from '../ingest/jobStatus.ts';
import { removeAbandonedUploads } from '../ingest/storeUpload.ts';

/** Days are counted, so an hour is soon enough: looking for what is stale reads every edge set. */
const PRUNE_INTERVAL = '1 hour';
const PRUNED_AT = 'housekeeping.pruned_at';

export interface HouseLimits extends AgingLimits {
  /** Days that entries of the audit log stay; 0 keeps them. */
  readonly auditDays: number;
  /** Days that jobs of collectors stay with their logs; 0 keeps them. */
  readonly jobDays: number;
  /** Days for which differences of generations stay; 0 keeps them. */
  readonly differenceDays: number;
}

export async function keepHouse({ db }: Pick<Database, 'db'>, limits: HouseLimits): Promise<void> {
  await expireJobs(db);
  await makeDueJobs(db, new Date());
  await expireUploadJobs(db);
  await removeAbandonedUploads(db);
  await removeUnneededBytes(db);
  await expireAcceptances(db);
  await askForDailyRun(db);
  await db.transaction().execute(async (transaction) => {
    if (!(await isTimeToPrune(transaction))) return;
    if ((await pruneStale(transaction, limits)) > 0) await factsChanged(transaction);
    await pruneGoneSets(transaction);
    await pruneAuditLog(transaction, limits.auditDays);
    await pruneJobs(transaction, limits.jobDays);
    await pruneDifferences(transaction, limits.differenceDays);
  });
}

/** True for one worker per hour: the others wait for its transaction, and then find the new time. */
async function isTimeToPrune(db: Db): Promise<boolean> {
  const { rows } = await sql`
    insert into setting (key, value) values (${PRUNED_AT}, to_jsonb(now()))
    on conflict (key) do update set value = excluded.value
    where (setting.value #>> '{}')::timestamptz < now() - ${PRUNE_INTERVAL}::interval
    returning key`.execute(db);
  return rows.length > 0;
}
