/**
 * Migrates the schema to this version. Any number of processes may start at once: an advisory lock allows one to migrate while the others
 * wait.
 */
import { StartError } from '@clew/embedded';
import type pg from 'pg';
import { AdvisoryLock } from './advisoryLocks.ts';
import { registerDefaultZones } from './defaultZones.ts';
import { MIGRATIONS } from './migrations/index.ts';
import type { Migration } from './migrations/migration.ts';
import { registerKinds } from './registerKinds.ts';

export class MigrationError extends StartError {
  override readonly name = 'MigrationError';
}

/** Migration 001 sets the storage of a column in `create table`, which PostgreSQL 15 does not support. */
export const MIN_SERVER_VERSION = 160_000;

/**
 * @returns names of the applied migrations
 * @throws MigrationError if the server is too old, a newer Clew used the database, or a step fails; previous steps stay applied
 */
export async function migrate(
  pool: pg.Pool,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<readonly string[]> {
  return applyMigrations(pool, migrations, async (client) => {
    await registerKinds(client);
    await registerDefaultZones(client);
  });
}

/**
 * Only creates the tables: `registerKinds` and `registerDefaultZones` need the tables of this version.
 * @param afterward runs under the migration lock
 * @returns names of the applied migrations @throws MigrationError like `migrate`
 */
export async function applyMigrations(
  pool: pg.Pool,
  migrations: readonly Migration[],
  afterward: (client: pg.PoolClient) => Promise<void> = async () => {},
): Promise<readonly string[]> {
  const client = await pool.connect();
  try {
    await requireServerVersion(client);
    await client.query('select pg_advisory_lock($1)', [AdvisoryLock.migrate]);
    await client.query(
      'create table if not exists migration (name text primary key, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ name: string }>('select name from migration');
    const applied = new Set(rows.map((row) => row.name));
    requireKnown(applied, migrations);
    const due = migrations.filter(({ name }) => !applied.has(name));
    for (const migration of due) await apply(client, migration);
    await afterward(client);
    return due.map(({ name }) => name);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [AdvisoryLock.migrate]).catch(() => {});
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

async function apply(client: pg.PoolClient, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(migration.sql);
    await client.query('insert into migration (name) values ($1)', [migration.name]);
    await client.query('commit');
  } catch (cause) {
    await client.query('rollback');
    throw new MigrationError(
      `the database could not be upgraded to ${migration.name}: ${(cause as Error).message}`,
      {
        cause,
      },
    );
  }
}
