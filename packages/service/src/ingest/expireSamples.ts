/** Samples (sessions) say what was true when they were taken: without a new sighting they are forgotten. */
import { sql } from 'kysely';
import { AdvisoryLock } from '../store/advisoryLocks.ts';
import type { Db } from '../store/database.ts';

/** @param db a transaction @returns how many were forgotten */
export async function expireSamples(db: Db, days: number): Promise<number> {
  const { rows } = await sql<{ some: boolean }>`
    select exists (select from sample_edge where last_seen < now() - make_interval(days => ${days})) as some`.execute(
    db,
  );
  if (!rows[0].some) return 0;
  await sql`select pg_advisory_xact_lock(${AdvisoryLock.facts})`.execute(db);
  const { numAffectedRows } = await sql`
    delete from sample_edge where last_seen < now() - make_interval(days => ${days})`.execute(db);
  return Number(numAffectedRows ?? 0);
}
