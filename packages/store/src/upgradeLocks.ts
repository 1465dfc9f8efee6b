/** Pauses processes of the older version while migrations change their tables. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { AdvisoryLock } from './advisoryLocks.ts';

/** Notifies other processes of the beginning and end of an upgrade. */
export const UPGRADE_CHANNEL = 'clew_upgrade';

/** Within this time, other processes refuse writes. */
const NOTICE_MS = 1_000;
/** Workers release their work at the notice. Those of a version without this protocol end their current step. */
const WORK_WAIT_MS = 30_000;
/** Locks of workers. While they are held, no worker of an older version begins any work. */
const WORK = [AdvisoryLock.ingest, AdvisoryLock.generation, AdvisoryLock.plans];

/** Waits for a lock of the session as long as needed, even if the database limits the time of statements. */
export async function lockWithoutLimit(client: pg.ClientBase, lock: number): Promise<void> {
  await lockWithin(client, lock, 0);
}

/** @returns whether the lock was available within the time; 0: any time */
async function lockWithin(client: pg.ClientBase, lock: number, milliseconds: number): Promise<boolean> {
  await client.query('begin');
  try {
    await client.query(
      `set local statement_timeout = 0; set local lock_timeout = ${Math.ceil(milliseconds)}`,
    );
    await client.query('select pg_advisory_lock($1)', [lock]);
    await client.query('commit');
    return true;
  } catch (error) {
    await client.query('rollback');
    if ((error as { code?: string }).code === '55P03') return false;
    throw error;
  }
}

/** Asks other processes to pause, and waits for their work. All locks end with the session. */
export async function beginUpgrade(client: pg.ClientBase, onDelay: (reason: string) => void): Promise<void> {
  await lockWithoutLimit(client, AdvisoryLock.upgrade);
  await client.query('select pg_notify($1, $2)', [UPGRADE_CHANNEL, 'begin']);
  if (!(await hasOthers(client))) return;
  onDelay('other processes use the database: they write nothing until the upgrade is complete');
  await sleep(NOTICE_MS);
  const end = performance.now() + WORK_WAIT_MS;
  for (const lock of WORK)
    if (!(await lockWithin(client, lock, Math.max(1, end - performance.now()))))
      onDelay('a worker of the older version does not pause: stop it, if the upgrade takes long');
}

/** Whether other processes of the service run: each has a session that only listens. */
async function hasOthers(client: pg.ClientBase): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name like 'clew%' and query ilike 'listen %' limit 1`,
  );
  return rowCount !== 0;
}

export async function endUpgrade(client: pg.ClientBase): Promise<void> {
  await client.query('select pg_advisory_unlock($1)', [AdvisoryLock.upgrade]);
  await client.query('select pg_notify($1, $2)', [UPGRADE_CHANNEL, 'end']);
}
