/**
 * Writes all tables of one snapshot to a file, while the service runs, in constant memory. It needs no program of PostgreSQL, so it works for the
 * embedded database and for any other.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { to as copyTo } from 'pg-copy-streams';
import { ServerClient } from '../serverClient.ts';
import type { ConnectionConfig } from '../servers.ts';
import { BackupError } from './backupError.ts';
import {
  type BackupHeader,
  type EndRecord,
  FILE_END,
  type FileHead,
  FORMAT,
  type TableRecord,
} from './backupFormat.ts';
import { newSealing, seal } from './sealedFrames.ts';
import { quoted, storedSequences, storedTables } from './storedTables.ts';

export interface BackupOptions {
  readonly connection: ConnectionConfig;
  /** Not there before. */
  readonly file: string;
  /** Seals the file. */
  readonly passphrase?: string;
  /** Root key of the installation, put into the file, which is then sealed. */
  readonly secretKey?: string;
  readonly now?: Date;
  readonly signal?: AbortSignal;
}

export interface WrittenBackup {
  readonly file: string;
  readonly bytes: number;
  readonly tables: number;
}

const LEVEL = 3;

/** @throws BackupError when the key would be readable, or the database was never used; no file is left then */
export async function writeBackup(options: BackupOptions): Promise<WrittenBackup> {
  const { connection, file, passphrase, secretKey, signal } = options;
  if (secretKey !== undefined && passphrase === undefined)
    throw new BackupError('the secret key goes only into a backup with a passphrase');
  const head: FileHead = { clew_backup: FORMAT, ...(passphrase !== undefined && { sealing: newSealing() }) };
  const client = new ServerClient(connection);
  client.on('error', () => {});
  await client.connect();
  const draft = `${file}.part`;
  try {
    const tables = await beginSnapshot(client);
    const header = await headerOf(client, tables.length, options);
    const zstd = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: LEVEL } });
    const body = passphrase === undefined ? zstd : seal(zstd, passphrase, head.sealing as never);
    const line = Buffer.from(`${JSON.stringify(head)}\n`);
    // It has names of a real network in it, and digests of passwords.
    const target = createWriteStream(draft, { mode: 0o600, flush: true });
    const written = pipeline(Readable.from(wholeFile(line, body)), target, { signal });
    written.catch((error) => zstd.destroy(error));
    await Promise.all([written, writeRecords(client, zstd, header, tables)]);
    await client.query('commit');
    await rename(draft, file);
    const { size } = await stat(file);
    return { file, bytes: size, tables: tables.length };
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}

/** The tables cannot change their form until the end. @returns them */
async function beginSnapshot(client: ServerClient): Promise<TableRecord[]> {
  const tables = await storedTables(client);
  if (!tables.some(({ table }) => table === 'migration'))
    throw new BackupError('there is nothing to back up: the database is empty');
  await client.query('begin isolation level repeatable read read only');
  // Locks come before the snapshot: it begins with the first query.
  await client.query(
    `lock table ${tables.map(({ table }) => quoted(table)).join(', ')} in access share mode`,
  );
  return tables;
}

async function headerOf(
  client: ServerClient,
  tables: number,
  { secretKey, now = new Date() }: BackupOptions,
): Promise<BackupHeader> {
  const { rows } = await client.query<{ name: string }>('select name from migration order by name');
  return {
    made_at: now.toISOString(),
    migrations: rows.map(({ name }) => name),
    sequences: await storedSequences(client),
    tables,
    ...(secretKey !== undefined && { secret_key: secretKey }),
  };
}

async function* wholeFile(line: Buffer, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield line;
  yield* body;
  yield FILE_END;
}

async function writeRecords(
  client: ServerClient,
  target: Writable,
  header: BackupHeader,
  tables: readonly TableRecord[],
): Promise<void> {
  const hash = createHash('sha256');
  const put = async (bytes: Uint8Array): Promise<void> => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    for (const part of [length, bytes]) {
      hash.update(part);
      if (!target.write(part)) await once(target, 'drain');
    }
  };
  const putJson = (value: object): Promise<void> => put(Buffer.from(JSON.stringify(value)));
  await putJson(header);
  for (const table of tables) {
    await putJson(table);
    const columns = table.columns.map(quoted).join(', ');
    const rows = client.query(copyTo(`copy ${quoted(table.table)} (${columns}) to stdout (format binary)`));
    for await (const chunk of rows as AsyncIterable<Buffer>) if (chunk.length > 0) await put(chunk);
    await put(Buffer.alloc(0));
  }
  await putJson({ sha256: hash.copy().digest('hex') } satisfies EndRecord);
  target.end();
}
