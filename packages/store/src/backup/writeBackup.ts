/**
 * Writes all tables of one snapshot to a file in constant memory while the service runs. It needs no PostgreSQL program, so it works for
 * embedded and external databases.
 */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync, type WriteStream } from 'node:fs';
import { link, rename, rm, stat } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { to as copyTo } from 'pg-copy-streams';
import { AdvisoryLock } from '../advisoryLocks.ts';
import { ServerClient } from '../serverClient.ts';
import type { ConnectionConfig } from '../servers.ts';
import { BackupError, withOutcome } from './backupError.ts';
import {
  type BackupHeader,
  type EndRecord,
  FILE_END,
  type FileHead,
  FORMAT,
  type TableRecord,
} from './backupFormat.ts';
import { installationOf } from './installation.ts';
import { newSealing, seal } from './sealedFrames.ts';
import { quoted, storedSequences, storedTables } from './storedTables.ts';

export interface BackupOptions {
  readonly connection: ConnectionConfig;
  /** Must not exist. */
  readonly file: string;
  /** Encrypts the file. */
  readonly passphrase?: string;
  /** Root key of the installation, which is written into the file; requires a passphrase. */
  readonly secretKey?: string;
  readonly now?: Date;
  readonly signal?: AbortSignal;
}

export interface WrittenBackup {
  readonly file: string;
  readonly bytes: number;
  readonly tables: number;
  /** Also in the head of the file. */
  readonly installation: string;
}

const LEVEL = 3;
/** Maximum bytes of a record of rows. */
const MAX_PIECE = 2 ** 20;
/** Error codes of file systems without hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/**
 * @throws BackupError if the key would be readable, the database was never used, the file exists, or the database or the disk fails; no
 * file is left
 */
export async function writeBackup(options: BackupOptions): Promise<WrittenBackup> {
  const { connection, file, passphrase, secretKey, signal } = options;
  if (secretKey !== undefined && passphrase === undefined)
    throw new BackupError('the secret key can be stored only in a backup with a passphrase');
  const client = new ServerClient(connection);
  client.on('error', () => {});
  // Uses a name that no other process uses and no link leads from.
  const draft = `${file}.${randomBytes(6).toString('hex')}.part`;
  // A statement may wait for locks of others without end.
  const disconnect = (): void => void client.end().catch(() => {});
  signal?.addEventListener('abort', disconnect, { once: true });
  try {
    signal?.throwIfAborted();
    await client.connect();
    // Copying a large table takes longer than any query of a service.
    await client.query('set statement_timeout = 0');
    const tables = await beginSnapshot(client);
    const header = await headerOf(client, tables.length, options);
    const installation = await installationOf(client);
    const sealing = passphrase === undefined ? undefined : newSealing();
    const head: FileHead = { clew_backup: FORMAT, installation, ...(sealing && { sealing }) };
    const zstd = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: LEVEL } });
    // The pipeline reports errors, but may not have reached the compressor.
    zstd.on('error', () => {});
    const body = passphrase === undefined || !sealing ? zstd : seal(zstd, passphrase, sealing);
    const line = Buffer.from(`${JSON.stringify(head)}\n`);
    // The file contains names of a real network and password digests.
    const target = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true });
    const written = pipeline(Readable.from(wholeFile(line, body)), target, { signal });
    written.catch((error) => zstd.destroy(error));
    try {
      await Promise.all([written, writeRecords(client, zstd, line, header, tables)]);
    } catch (error) {
      zstd.destroy();
      await closed(target);
      throw error;
    }
    await client.query('commit');
    await giveName(draft, file);
    const { size } = await stat(file);
    return { file, bytes: size, tables: tables.length, installation };
  } catch (error) {
    await rm(draft, { force: true });
    throw signal?.aborted === true ? signal.reason : withOutcome(error, 'the backup was not created');
  } finally {
    signal?.removeEventListener('abort', disconnect);
    await client.end().catch(() => {});
  }
}

/** A file that is still being opened would be created after its removal. */
async function closed(target: WriteStream): Promise<void> {
  target.destroy();
  if (!target.closed) await once(target, 'close');
}

/** Never overwrites a file: two backups may have been given the same name. */
async function giveName(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file);
    await rm(draft);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || (NO_LINKS.has(code) && existsSync(file)))
      throw new BackupError(`${file} already exists: choose another file`);
    if (!NO_LINKS.has(code)) throw error;
    await rename(draft, file);
  }
}

/** Prevents changes of the tables' schema until the end, and new tables before the snapshot. @returns the tables */
async function beginSnapshot(client: ServerClient): Promise<TableRecord[]> {
  // Otherwise the list could lack a table that the snapshot has. The lock ends with the connection, even after an error.
  await client.query('select pg_advisory_lock_shared($1)', [AdvisoryLock.migrate]);
  const tables = await storedTables(client);
  if (!tables.some(({ table }) => table === 'migration'))
    throw new BackupError('there is nothing to back up: the database is empty');
  await client.query('begin isolation level repeatable read read only');
  // Takes the locks before the snapshot, which begins with the first query.
  await client.query(
    `lock table ${tables.map(({ table }) => quoted(table)).join(', ')} in access share mode`,
  );
  await client.query('select pg_advisory_unlock_shared($1)', [AdvisoryLock.migrate]);
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
  line: Buffer,
  header: BackupHeader,
  tables: readonly TableRecord[],
): Promise<void> {
  const hash = createHash('sha256').update(line);
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
    for await (const chunk of rows as AsyncIterable<Buffer>)
      for (let at = 0; at < chunk.length; at += MAX_PIECE) await put(chunk.subarray(at, at + MAX_PIECE));
    await put(Buffer.alloc(0));
  }
  await putJson({ sha256: hash.copy().digest('hex') } satisfies EndRecord);
  target.end();
}
