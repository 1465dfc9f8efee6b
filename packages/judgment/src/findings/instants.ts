/**
 * Publication instants. Everything published by one transaction has the same instant, and each instant is later than all before it,
 * regardless of clock differences between machines, because clients continue from the last instant they saw. Taking an instant locks out
 * other publishers until the transaction ends, so instants become visible in order. It locks out the writer of plans, too, which publishes
 * nothing, but changes rows of the same findings in another order: each would wait for a row of the other.
 */

import { AdvisoryLock, type Db } from '@clew/store';
import { sql } from 'kysely';
import type pg from 'pg';

/** @param transaction the publishing transaction @returns `YYYY-MM-DDTHH:MM:SS.ffffffZ` */
export async function takeInstant(transaction: Db): Promise<string> {
  const { published_at } = await transaction
    .updateTable('publication_clock')
    .set({ published_at: sql<string>`greatest(clock_timestamp(), published_at + interval '1 microsecond')` })
    .returning('published_at')
    .executeTakeFirstOrThrow();
  await sql`select pg_advisory_xact_lock(${AdvisoryLock.findings})`.execute(transaction);
  return published_at;
}

/** Same as `takeInstant` on a plain connection. */
export async function takeInstantOn(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ published_at: string }>(
    `update publication_clock set published_at = greatest(clock_timestamp(), published_at + interval '1 microsecond')
     returning published_at`,
  );
  await client.query('select pg_advisory_xact_lock($1)', [AdvisoryLock.findings]);
  return rows[0].published_at;
}
