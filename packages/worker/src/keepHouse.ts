/**
 * Regular work: gives up on abandoned uploads and runs of collectors, plans the next runs, prunes stale objects, ends acceptances
 * of risks, and checks findings that depend on time again.
 */

import { deleteEndedLayers, pruneWatches } from '@clew/explore';
import {
  type AgingLimits,
  expireJobs,
  expireUploadJobs,
  makeDueJobs,
  pruneAuditLog,
  pruneGoneSets,
  pruneJobs,
  pruneReadings,
  pruneStale,
  removeAbandonedUploads,
  removeUnneededBytes,
} from '@clew/intake';
import {
  askForDailyRun,
  endAcceptanceRequests,
  expireAcceptances,
  pruneAttachments,
  pruneDifferences,
} from '@clew/judgment';
import { type Database, type Db, factsChanged } from '@clew/store';
import { sql } from 'kysely';

/** Periods are counted in days, so an hourly check suffices: the search for stale objects reads every edge set. */
const PRUNE_INTERVAL = '1 hour';
const PRUNED_AT = 'housekeeping.pruned_at';

export interface HouseLimits extends AgingLimits {
  /** Retention of audit log entries in days; 0 keeps them. */
  readonly auditDays: number;
  /** Retention of collector jobs and their logs in days; 0 keeps them. */
  readonly jobDays: number;
  /** Retention of differences between generations in days; 0 keeps them. */
  readonly differenceDays: number;
}

export async function keepHouse({ db }: Pick<Database, 'db'>, limits: HouseLimits): Promise<void> {
  await expireJobs(db);
  await makeDueJobs(db, new Date());
  await expireUploadJobs(db);
  await removeAbandonedUploads(db);
  await removeUnneededBytes(db);
  await expireAcceptances(db);
  await endAcceptanceRequests(db);
  await askForDailyRun(db);
  await deleteEndedLayers(db);
  await db.transaction().execute(async (transaction) => {
    if (!(await isTimeToPrune(transaction))) return;
    if ((await pruneStale(transaction, limits)) > 0) await factsChanged(transaction);
    await pruneGoneSets(transaction);
    await pruneAuditLog(transaction, limits.auditDays);
    await pruneJobs(transaction, limits.jobDays);
    await pruneReadings(transaction);
    await pruneDifferences(transaction, limits.differenceDays);
    await pruneAttachments(transaction);
    await pruneWatches(transaction);
  });
}

/** @returns true for one worker per hour: the others wait for its transaction, and then read the new time */
async function isTimeToPrune(db: Db): Promise<boolean> {
  const { rows } = await sql`
    insert into setting (key, value) values (${PRUNED_AT}, to_jsonb(now()))
    on conflict (key) do update set value = excluded.value
    where (setting.value #>> '{}')::timestamptz < now() - ${PRUNE_INTERVAL}::interval
    returning key`.execute(db);
  return rows.length > 0;
}
