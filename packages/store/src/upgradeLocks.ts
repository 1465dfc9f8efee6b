/** Pauses processes of the older version while migrations change their tables. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { AdvisoryLock } from './advisoryLocks.ts';
import { MIGRATIONS } from './migrations/index.ts';

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
  if (await hasOthers(client)) {
    onDelay('other processes use the database: they write nothing until the upgrade is complete');
    await sleep(NOTICE_MS);
  }
  // Also without others: a process that starts now works before it learns of the upgrade.
  const end = performance.now() + WORK_WAIT_MS;
  for (const lock of WORK)
    if (!(await lockWithin(client, lock, Math.max(1, end - performance.now()))))
      onDelay('a worker of the older version does not pause: stop it, if the upgrade takes long');
}

/**
 * Whether other processes of the service run: each holds a lock, which all roles of the database can see. Those of a version without the lock
 * have a session that only listens, whose query other roles cannot see.
 */
async function hasOthers(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ has_others: boolean }>(
    `select exists (
       select from pg_locks
       where locktype = 'advisory' and classid = 0 and objid = $1 and objsubid = 1 and granted
         and database = (select oid from pg_database where datname = current_database())
     ) or exists (
       select from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and application_name like 'clew%' and query ilike 'listen %'
     ) as has_others`,
    [AdvisoryLock.process],
  );
  return rows[0].has_others;
}

/** Code of an error of `expectOwnTables`, like SQLSTATE: other threads pass it on. */
export const OTHER_TABLES = 'CLEW_OTHER_TABLES';

/**
 * Called at the beginning of a transaction that writes without a request that was checked: an upgrade begins only after its end.
 * @param known names of the migrations of this process, for tests
 * @throws Error, if a newer version is changing the tables, or has changed them
 */
export async function expectOwnTables(
  client: pg.ClientBase,
  known: readonly string[] = MIGRATIONS.map(({ name }) => name),
): Promise<void> {
  const { rows } = await client.query<{ is_free: boolean }>(
    'select pg_try_advisory_xact_lock_shared($1) as is_free',
    [AdvisoryLock.upgrade],
  );
  // The lock comes first, because a statement does not see what others changed after it began.
  const { rowCount } = await client.query('select from migration where name <> all($1) limit 1', [known]);
  if (rows[0].is_free && rowCount === 0) return;
  throw Object.assign(new Error('a newer version changes the tables'), { code: OTHER_TABLES });
}

export async function endUpgrade(client: pg.ClientBase): Promise<void> {
  await client.query('select pg_advisory_unlock($1)', [AdvisoryLock.upgrade]);
  await client.query('select pg_notify($1, $2)', [UPGRADE_CHANNEL, 'end']);
}
