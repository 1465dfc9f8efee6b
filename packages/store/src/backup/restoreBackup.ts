/** Fills an empty database from a backup: all of it or nothing. */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { Database } from '../database.ts';
import { migrate } from '../migrate.ts';
import { MIGRATIONS } from '../migrations/index.ts';
import { ServerClient } from '../serverClient.ts';
import { BackupError } from './backupError.ts';
import type { BackupHeader } from './backupFormat.ts';
import { openBackup } from './readBackup.ts';
import { quoted, storedTables } from './storedTables.ts';

/**
 * Makes the tables as they were when the backup was made; the next start of the service migrates them. The file has been verified.
 * @throws BackupError if the database is in use or the backup is of a newer version
 */
export async function restoreBackup(
  { pool, connection }: Database,
  file: string,
  passphrase: string | undefined,
): Promise<BackupHeader> {
  const { reader, close } = await openBackup(file, passphrase);
  const client = new ServerClient(connection);
  client.on('error', () => {});
  try {
    const { header } = reader;
    const wanted = new Set(header.migrations);
    const known = MIGRATIONS.filter(({ name }) => wanted.has(name));
    if (known.length < wanted.size)
      throw new BackupError('the backup was made by a newer version of Clew: restore it with that one');
    await refuseUsed(pool);
    await migrate(pool, known);
    await client.connect();
    await client.query('begin');
    const tables = await storedTables(client);
    if (tables.length !== header.tables)
      throw new BackupError('the backup has other tables than its version');
    const columns = new Map(tables.map((table) => [table.table, table.columns]));
    await client.query(`truncate ${tables.map(({ table }) => quoted(table)).join(', ')}`);
    const indexes = await dropIndexes(client);
    for await (const { table, columns: given, rows } of reader.tables()) {
      if (columns.get(table)?.join() !== given.join())
        throw new BackupError(`the table ${table} of the backup has other columns`);
      await fill(client, table, given, rows());
    }
    for (const definition of indexes) await client.query(definition);
    for (const { name, last, called } of header.sequences)
      await client.query('select setval($1::regclass, $2, $3)', [quoted(name), last, called]);
    await client.query('commit');
    await client.query('analyze');
    return header;
  } finally {
    close();
    await client.end().catch(() => {});
  }
}

/** A database that a service was started on has a user. An empty one may have tables of an attempt that was interrupted. */
async function refuseUsed(pool: Database['pool']): Promise<void> {
  const { rows } = await pool.query<{ exists: boolean }>(
    "select to_regclass('user_account') is not null as exists",
  );
  if (!rows[0].exists) return;
  const { rowCount } = await pool.query('select from user_account limit 1');
  if (rowCount !== 0)
    throw new BackupError(
      'the database is in use: restore into an empty one (another CLEW_DATA_DIR, or another database in CLEW_DATABASE_URL)',
    );
}

/** Rows come in faster without indexes. Those of constraints stay. @returns statements that make them again */
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
