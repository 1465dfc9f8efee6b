/** Reads the file of a backup in constant memory, and notices each byte that is missing or changed. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { BackupError } from './backupError.ts';
import {
  type BackupHeader,
  type EndRecord,
  FILE_END,
  type FileHead,
  FORMAT,
  type TableRecord,
} from './backupFormat.ts';
import { ByteReader } from './byteReader.ts';
import { unseal } from './sealedFrames.ts';

/** Longest first line. */
const MAX_HEAD = 4096;
/** Longest record: one of COPY is a piece of a socket's buffer; the header has a name for each migration. */
const MAX_RECORD = 2 ** 26;

export interface BackupReader {
  readonly header: BackupHeader;
  /** Tables, one after the other. The rows of each must be read to their end before the next. */
  readonly tables: () => AsyncGenerator<TableRecord & { readonly rows: () => AsyncGenerator<Buffer> }>;
}

/** Whether a passphrase is needed. @throws BackupError for a file that is not a backup, or one of a newer version */
export async function isSealed(file: string): Promise<boolean> {
  const stream = createReadStream(file, { end: MAX_HEAD });
  try {
    return (await readHead(new ByteReader(stream))).sealing !== undefined;
  } finally {
    stream.destroy();
  }
}

async function readHead(reader: ByteReader): Promise<FileHead> {
  let line = '';
  for (;;) {
    const byte = (await reader.take(1)).toString('latin1');
    if (byte === '\n') break;
    line += byte;
    if (line.length > MAX_HEAD || !line.startsWith('{'))
      throw new BackupError('the file is not a backup of Clew');
  }
  const head = parsed<FileHead>(line, 'the file is not a backup of Clew');
  if (typeof head.clew_backup !== 'number') throw new BackupError('the file is not a backup of Clew');
  if (head.clew_backup > FORMAT)
    throw new BackupError('the backup was made by a newer version of Clew: restore it with that one');
  return head;
}

/** @returns the position of the last byte of the body @throws BackupError if the file does not end as it was written */
async function lastByteOf(file: string): Promise<number> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const end = Buffer.alloc(FILE_END.length);
    if (size > FILE_END.length) await handle.read(end, 0, end.length, size - end.length);
    if (!end.equals(FILE_END)) throw new BackupError('the file is not a backup of Clew, or is cut off');
    return size - end.length - 1;
  } finally {
    await handle.close();
  }
}

function parsed<Value>(text: string, message: string): Value {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Value;
  } catch {
    // Said below.
  }
  throw new BackupError(message);
}

/** @throws BackupError when it is used, for another passphrase, a damaged or a cut file */
export async function openBackup(
  file: string,
  passphrase: string | undefined,
): Promise<{ reader: BackupReader; close: () => void }> {
  const stream = createReadStream(file, { end: await lastByteOf(file) });
  const bytes = new ByteReader(stream);
  const head = await readHead(bytes).catch((error) => {
    stream.destroy();
    throw error;
  });
  if (head.sealing !== undefined && passphrase === undefined) {
    stream.destroy();
    throw new BackupError('the backup has a passphrase');
  }
  const body =
    head.sealing === undefined ? bytes.rest() : unseal(bytes.rest(), passphrase as string, head.sealing);
  const zstd = createZstdDecompress();
  const piped = pipeline(Readable.from(body), zstd);
  piped.catch(() => {});
  const close = (): void => {
    zstd.destroy();
    stream.destroy();
  };
  const records = new ByteReader(decompressed(zstd, piped));
  const hash = createHash('sha256');
  const next = async (): Promise<Buffer> => {
    const length = Buffer.from(await records.take(4));
    const size = length.readUInt32BE();
    if (size > MAX_RECORD) throw new BackupError('the backup is damaged');
    const record = await records.take(size);
    hash.update(length).update(record);
    return record;
  };
  const nextJson = async <Value>(): Promise<Value> =>
    parsed((await next()).toString(), 'the backup is damaged');
  try {
    const header = await nextJson<BackupHeader>();
    return { reader: { header, tables: () => tablesOf(header.tables) }, close };
  } catch (error) {
    close();
    throw error;
  }

  async function* tablesOf(count: number) {
    for (let at = 0; at < count; at++) {
      const record = await nextJson<TableRecord>();
      yield { ...record, rows: rowsOf };
    }
    const digest = hash.copy().digest('hex');
    const end = await nextJson<EndRecord>();
    if (end.sha256 !== digest || !(await records.isAtEnd())) throw new BackupError('the backup is damaged');
  }

  async function* rowsOf(): AsyncGenerator<Buffer> {
    for (;;) {
      const record = await next();
      if (record.length === 0) return;
      yield record;
    }
  }
}

/** A fault of the file is one of the backup; one of the disk stays what it is. */
async function* decompressed(zstd: AsyncIterable<Buffer>, piped: Promise<void>): AsyncGenerator<Buffer> {
  try {
    yield* zstd;
    await piped;
  } catch (error) {
    if (error instanceof BackupError) throw error;
    const cause = await piped.then(
      () => error,
      (reason: unknown) => reason,
    );
    if (cause instanceof BackupError) throw cause;
    const { code = '' } = cause as NodeJS.ErrnoException;
    if (/^(ZSTD|Z_|ERR_)/.test(code)) throw new BackupError('the backup is damaged or cut off', { cause });
    throw cause;
  }
}

/** Reads all of it. @returns its header @throws BackupError if any byte is missing or changed */
export async function verifyBackup(file: string, passphrase: string | undefined): Promise<BackupHeader> {
  const { reader, close } = await openBackup(file, passphrase);
  try {
    for await (const { rows } of reader.tables())
      await pipeline(Readable.from(rows()), new Writable({ write: (_, __, done) => done() }));
    return reader.header;
  } finally {
    close();
  }
}
