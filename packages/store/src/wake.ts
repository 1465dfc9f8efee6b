/**
 * Wakes the workers, in the transaction of the data. The tables contain the pending work (waiting jobs, changed facts), so duplicate, late
 * or missing notifications do no harm. Workers also check the tables when they start, when they reconnect, and every minute.
 *
 * No queue exists in addition to the tables: it would be a second source of truth that a crash leaves locked. Session-level advisory locks
 * record which worker does what, and the database releases them when a worker dies.
 */
import { sql } from 'kysely';
import type pg from 'pg';
import type { Db } from './database.ts';

export const WAKE_CHANNEL = 'clew_worker';
/** Announces that a generation was published; the payload is its number. */
export const GENERATION_CHANNEL = 'clew_generation';

/** `ingest`: upload jobs are waiting; `build`: facts changed; `plan`: inputs of plans changed. */
export type TaskName = 'ingest' | 'build' | 'plan';

export async function wake(db: Db, task: TaskName): Promise<void> {
  await sql`select pg_notify(${WAKE_CHANNEL}, ${task})`.execute(db);
}

/** Like `wake`, on a plain connection. */
export async function wakeOn(client: pg.ClientBase | pg.Pool, task: TaskName): Promise<void> {
  await client.query('select pg_notify($1, $2)', [WAKE_CHANNEL, task]);
}

/** Records that a zone was edited, so that a new generation is built and distinguished from one with new data. */
export async function zonesChanged(db: Db): Promise<void> {
  await sql`update facts_state set version = version + 1, zones_version = version + 1`.execute(db);
  await wake(db, 'build');
}

/** Records that facts changed outside ingest (such as a user's mark), so that a new generation is built. */
export async function factsChanged(db: Db): Promise<void> {
  await sql`update facts_state set version = version + 1, data_version = version + 1`.execute(db);
  await wake(db, 'build');
}

/** Records that the same facts have a new meaning (the definition of a kind changed), so that a new generation is built. */
export async function readingChanged(db: Db): Promise<void> {
  await sql`update facts_state set version = version + 1, reread_version = version + 1`.execute(db);
  await wake(db, 'build');
}
