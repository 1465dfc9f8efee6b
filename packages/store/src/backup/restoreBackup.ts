/** Fills an empty database from a backup, completely or not at all. */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Database } from '../database.ts';
import { applyMigrations } from '../migrate.ts';
import { MIGRATIONS } from '../migrations/index.ts';
import type { Migration } from '../migrations/migration.ts';
import { ServerClient } from '../serverClient.ts';
import { BackupError, withOutcome } from './backupError.ts';
import type { BackupHeader } from './backupFormat.ts';
import { type BackupReader, openBackup, passOver } from './readBackup.ts';
import { quoted, storedSequences, storedTables } from './storedTables.ts';

interface RestoredBackup {
  readonly header: BackupHeader;
  /** Foreign tables in the backup that the database lacks. */
  readonly leftOut: readonly string[];
}

/** Runs when all rows are copied but not yet visible. An error that it throws rolls them back. */
type BeforeCommit = (client: pg.ClientBase) => Promise<void>;

/** @returns the migrations in the backup @throws BackupError if this version lacks any of them */
export function migrationsOf({ migrations }: BackupHeader): readonly Migration[] {
  const wanted = new Set(migrations);
  const known = MIGRATIONS.filter(({ name }) => wanted.has(name));
  if (known.length < wanted.size)
    throw new BackupError('the backup was created by a newer version of Clew: restore it with that version');
  return known;
}

/**
 * Creates the tables of the backup's version; the next start of the service migrates them. The file has been verified.
 * @throws BackupError if the database is in use or fails, or the backup is from a newer version; the database then has no rows
 */
export async function restoreBackup(
  { pool, connection }: Database,
  file: string,
  passphrase: string | undefined,
  beforeCommit: BeforeCommit = async () => {},
): Promise<RestoredBackup> {
  const { reader, close } = await openBackup(file, passphrase);
  const client = new ServerClient(connection);
  client.on('error', () => {});
  try {
    const migrations = migrationsOf(reader.header);
    await client.connect();
    // Copying a large table takes longer than any query of a service.
    await client.query('set statement_timeout = 0');
    await refuseUsed(client);
    await applyMigrations(pool, migrations);
    await client.query('begin');
    // A service or another restore may have started since; from here on, they wait.
    await client.query('lock table user_account in access exclusive mode');
    await refuseUsed(client);
    const leftOut = await fillTables(client, reader);
    await beforeCommit(client);
    await client.query('commit');
    // Only makes the first queries faster: the database does this later on its own.
    await client.query('analyze').catch(() => {});
    return { header: reader.header, leftOut };
  } catch (error) {
    throw withOutcome(error, 'nothing was restored');
  } finally {
    close();
    await client.end().catch(() => {});
  }
}

/** A database that a service used has a user. An empty one may have tables of an interrupted attempt. */
async function refuseUsed(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>(
    "select to_regclass('user_account') is not null as exists",
  );
  if (!rows[0].exists) return;
  const { rowCount } = await client.query('select from user_account limit 1');
  if (rowCount !== 0)
    throw new BackupError(
      'the database already contains data: restore into an empty one (another CLEW_DATA_DIR, or another database in CLEW_DATABASE_URL)',
    );
}

/** @returns tables of the backup that the database lacks */
async function fillTables(client: ServerClient, reader: BackupReader): Promise<string[]> {
  const tables = new Map((await storedTables(client)).map(({ table, columns }) => [table, columns]));
  await client.query(`truncate ${[...tables.keys()].map(quoted).join(', ')}`);
  const indexes = await dropIndexes(client);
  const [missing, leftOut] = [new Set(tables.keys()), new Set<string>()];
  for await (const { table, columns, rows } of reader.tables()) {
    const own = tables.get(table);
    if (own === undefined) {
      leftOut.add(table);
      await passOver(rows);
      continue;
    }
    if (!missing.delete(table))
      throw new BackupError(`the backup contains the table ${JSON.stringify(table)} twice`);
    if (JSON.stringify(own) !== JSON.stringify(columns))
      throw new BackupError(
        `the table ${JSON.stringify(table)} in the backup has different columns than in its version`,
      );
    await fill(client, table, columns, rows());
  }
  if (missing.size > 0)
    throw new BackupError(
      `the database has tables that the backup lacks (${[...missing].join(', ')}): restore into an empty one`,
    );
  for (const definition of indexes) await client.query(definition);
  await setSequences(client, reader.header);
  return [...leftOut];
}

/** A sequence that stays at its start would repeat numbers of existing rows. */
async function setSequences(client: ServerClient, { sequences }: BackupHeader): Promise<void> {
  const given = new Map(sequences.map((sequence) => [sequence.name, sequence]));
  for (const { name } of await storedSequences(client)) {
    const sequence = given.get(name);
    if (sequence === undefined)
      throw new BackupError(`the backup lacks the sequence ${JSON.stringify(name)}`);
    await client.query('select setval($1::regclass, $2, $3)', [quoted(name), sequence.last, sequence.called]);
  }
}

/** Drops indexes, except for those of constraints, so that rows are copied faster. @returns statements that recreate them */
async function dropIndexes(client: ServerClient): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = current_schema()::regnamespace
      and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`);
  for (const { name } of rows) await client.query(`drop index ${quoted(name)}`);
  return rows.map(({ definition }) => definition);
}

async function fill(
  client: ServerClient,
  table: string,
  columns: readonly string[],
  rows: AsyncGenerator<Buffer>,
): Promise<void> {
  const list = columns.map(quoted).join(', ');
  const target = client.query(copyFrom(`copy ${quoted(table)} (${list}) from stdin (format binary)`));
  const failed = once(target, 'error').then(([error]) => Promise.reject(error));
  failed.catch(() => {});
  await Promise.race([pipeline(Readable.from(rows, { objectMode: true }), target), failed]);
}
