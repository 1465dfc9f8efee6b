/**
 * Migrates the schema to this version. Any number of processes may start at once: an advisory lock allows one to migrate while the others
 * wait.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '@clew/embedded';
import type pg from 'pg';
import { AdvisoryLock } from './advisoryLocks.ts';
import { registerDefaultZones } from './defaultZones.ts';
import { MIGRATIONS } from './migrations/index.ts';
import type { Migration } from './migrations/migration.ts';
import { registerKinds } from './registerKinds.ts';
import { beginUpgrade, endUpgrade, lockWithoutLimit } from './upgradeLocks.ts';

export class MigrationError extends StartError {
  override readonly name = 'MigrationError';
}

/** Migration 001 sets the storage of a column in `create table`, which PostgreSQL 15 does not support. */
export const MIN_SERVER_VERSION = 160_000;

export interface MigrateOptions {
  /** Called under the lock before the first step, if the database has tables of an older version. */
  readonly onUpgrade?: (client: pg.ClientBase, due: readonly Migration[]) => Promise<void>;
  /** Called when something delays the steps. */
  readonly onDelay?: (reason: string) => void;
}

/**
 * @returns names of the applied migrations
 * @throws MigrationError if the server is too old, a newer Clew used the database, or a step fails; previous steps stay applied
 */
export async function migrate(
  pool: pg.Pool,
  migrations: readonly Migration[] = MIGRATIONS,
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  const afterward = async (client: pg.PoolClient): Promise<void> => {
    await registerKinds(client);
    await registerDefaultZones(client);
  };
  return applyMigrations(pool, migrations, { ...options, afterward });
}

export interface ApplyOptions extends MigrateOptions {
  /** Runs under the migration lock. */
  readonly afterward?: (client: pg.PoolClient) => Promise<void>;
}

/**
 * Only creates the tables: `registerKinds` and `registerDefaultZones` need the tables of this version.
 * @returns names of the applied migrations @throws MigrationError like `migrate`
 */
export async function applyMigrations(
  pool: pg.Pool,
  migrations: readonly Migration[],
  { onUpgrade, onDelay = () => {}, afterward = async () => {} }: ApplyOptions = {},
): Promise<readonly string[]> {
  const client = await pool.connect();
  try {
    await requireServerVersion(client);
    await lockWithoutLimit(client, AdvisoryLock.migrate);
    await client.query(
      'create table if not exists migration (name text primary key, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ name: string }>('select name from migration');
    const applied = new Set(rows.map((row) => row.name));
    requireKnown(applied, migrations);
    const due = migrations.filter(({ name }) => !applied.has(name));
    const isUpgrade = applied.size > 0 && due.length > 0;
    if (isUpgrade) {
      await onUpgrade?.(client, due);
      await beginUpgrade(client, onDelay);
    }
    for (const migration of due) await applyWhenFree(client, migration, onDelay);
    await afterward(client);
    if (isUpgrade) await endUpgrade(client);
    return due.map(({ name }) => name);
  } finally {
    await client.query('select pg_advisory_unlock_all()').catch(() => {});
    client.release();
  }
}

/** An older version would misread tables that a newer one changed. */
function requireKnown(applied: ReadonlySet<string>, migrations: readonly Migration[]): void {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = [...applied].filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new MigrationError(
    `a newer Clew has changed this database (${unknown.join(', ')}): start that version, or restore the backup from before`,
  );
}

async function requireServerVersion(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
  const version = Number(rows[0].server_version_num);
  if (version >= MIN_SERVER_VERSION) return;
  throw new MigrationError(
    `PostgreSQL ${MIN_SERVER_VERSION / 10_000} or later is required, this is ${Math.floor(version / 10_000)}`,
  );
}

/** SQLSTATE of a lock that was not available in time, and of a deadlock. */
const HELD = new Set(['55P03', '40P01']);
/** Statements of other processes wait behind a step that waits for a lock: it gives up, and tries again after a pause. */
const LOCK_WAIT_MS = 2_000;
const PAUSE_MS = 500;

async function applyWhenFree(
  client: pg.PoolClient,
  migration: Migration,
  onDelay: (reason: string) => void,
): Promise<void> {
  for (let failures = 1; ; failures++) {
    try {
      return await apply(client, migration);
    } catch (error) {
      const { code = '' } = (error as MigrationError).cause as { code?: string };
      if (!HELD.has(code)) throw error;
      if (failures === 1)
        onDelay(
          `${migration.name} waits for a long statement of another process, such as a backup or an export`,
        );
      await sleep(PAUSE_MS);
    }
  }
}

/** A time limit of the database for statements is one for queries. */
async function apply(client: pg.PoolClient, migration: Migration): Promise<void> {
  try {
    await client.query('begin');
    await client.query(`set local statement_timeout = 0; set local lock_timeout = ${LOCK_WAIT_MS}`);
    await client.query(migration.sql);
    await client.query('insert into migration (name) values ($1)', [migration.name]);
    await client.query('commit');
  } catch (cause) {
    await client.query('rollback').catch(() => {});
    throw new MigrationError(
      `the database could not be upgraded to ${migration.name}: ${(cause as Error).message}`,
      { cause },
    );
  }
}
