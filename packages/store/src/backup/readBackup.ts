/** Reads a backup file in constant memory, and detects missing and changed bytes. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { BackupError } from './backupError.ts';
import { type BackupHeader, FILE_END, type FileHead, type TableRecord } from './backupFormat.ts';
import { endRecordOf, fileHeadOf, headerOf, tableRecordOf } from './backupShapes.ts';
import { ByteReader } from './byteReader.ts';
import { unseal } from './sealedFrames.ts';

/** Maximum length of the first line. */
const MAX_HEAD = 4096;
/** Maximum length of a record of rows: a record of COPY is one piece of a socket's buffer. */
const MAX_ROWS = 2 ** 24;
/** Maximum length of a JSON record: the header has a name for each migration and sequence. */
const MAX_JSON = 2 ** 20;

export interface BackupReader {
  readonly header: BackupHeader;
  /** Yields one table at a time. Read the rows of each to the end before the next. */
  readonly tables: () => AsyncGenerator<TableRecord & { readonly rows: () => AsyncGenerator<Buffer> }>;
}

/** @returns the part that needs no passphrase @throws BackupError if the file is not a backup, or is from a newer version */
export async function fileHead(file: string): Promise<FileHead> {
  await requireFile(file);
  const stream = createReadStream(file, { end: MAX_HEAD });
  try {
    return (await readHead(new ByteReader(stream))).head;
  } finally {
    stream.destroy();
  }
}

/** Whether a passphrase is needed. @throws BackupError if the file is not a backup, or is from a newer version */
export const isSealed = async (file: string): Promise<boolean> =>
  (await fileHead(file)).sealing !== undefined;

/** A pipe would never end, and a directory has no bytes. */
async function requireFile(file: string): Promise<void> {
  if (!(await stat(file)).isFile()) throw new BackupError(`${file} is not a file`);
}

/** @returns also the first line, with its line break */
async function readHead(reader: ByteReader): Promise<{ head: FileHead; line: Buffer }> {
  let line = '';
  for (;;) {
    const byte = (await reader.take(1)).toString('latin1');
    if (byte === '\n') break;
    line += byte;
    if (line.length > MAX_HEAD || !line.startsWith('{'))
      throw new BackupError('the file is not a backup of Clew');
  }
  return { head: fileHeadOf(line), line: Buffer.from(`${line}\n`, 'latin1') };
}

/** @returns the position of the last byte of the body @throws BackupError if the end of the file is missing or changed */
async function lastByteOf(file: string): Promise<number> {
  await requireFile(file);
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const end = Buffer.alloc(FILE_END.length);
    if (size > FILE_END.length) await handle.read(end, 0, end.length, size - end.length);
    if (!end.equals(FILE_END)) throw new BackupError('the file is not a backup of Clew, or is truncated');
    return size - end.length - 1;
  } finally {
    await handle.close();
  }
}

/** Reading from it throws `BackupError` for a wrong passphrase, or a damaged or truncated file. */
export async function openBackup(
  file: string,
  passphrase: string | undefined,
): Promise<{ reader: BackupReader; close: () => void }> {
  const stream = createReadStream(file, { end: await lastByteOf(file) });
  const bytes = new ByteReader(stream);
  const { head, line } = await readHead(bytes).catch((error) => {
    stream.destroy();
    throw error;
  });
  if (head.sealing !== undefined && passphrase === undefined) {
    stream.destroy();
    throw new BackupError('the backup has a passphrase: set CLEW_BACKUP_PASSPHRASE');
  }
  // Otherwise an attacker could replace a sealed file with an unencrypted one.
  if (head.sealing === undefined && passphrase !== undefined) {
    stream.destroy();
    throw new BackupError(
      'the backup is not encrypted, although a passphrase is set: unset CLEW_BACKUP_PASSPHRASE if you trust the file',
    );
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
  const hash = createHash('sha256').update(line);
  const next = async (longest: number): Promise<Buffer> => {
    const length = Buffer.from(await records.take(4));
    const size = length.readUInt32BE();
    if (size > longest) throw new BackupError('the backup is damaged: use another one');
    const record = await records.take(size);
    hash.update(length).update(record);
    return record;
  };
  const nextText = async (): Promise<string> => (await next(MAX_JSON)).toString();
  try {
    const header = headerOf(await nextText());
    return { reader: { header, tables: () => tablesOf(header.tables) }, close };
  } catch (error) {
    close();
    throw error;
  }

  async function* tablesOf(count: number) {
    for (let at = 0; at < count; at++) yield { ...tableRecordOf(await nextText()), rows: rowsOf };
    const digest = hash.copy().digest('hex');
    const { sha256 } = endRecordOf(await nextText());
    if (sha256 !== digest || !(await records.isAtEnd()))
      throw new BackupError('the backup is damaged: use another one');
  }

  async function* rowsOf(): AsyncGenerator<Buffer> {
    for (;;) {
      const record = await next(MAX_ROWS);
      if (record.length === 0) return;
      yield record;
    }
  }
}

/** Errors in the file become a `BackupError`; disk errors stay unchanged. */
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
    if (/^(ZSTD|Z_|ERR_)/.test(code))
      throw new BackupError('the backup is damaged or truncated: use another one', { cause });
    throw cause;
  }
}

/** Skips the rows of a table. */
export const passOver = (rows: () => AsyncGenerator<Buffer>): Promise<void> =>
  pipeline(Readable.from(rows()), new Writable({ write: (_, __, done) => done() }));

/** Reads the whole file. @returns its header @throws BackupError if any byte is missing or changed */
export async function verifyBackup(file: string, passphrase: string | undefined): Promise<BackupHeader> {
  const { reader, close } = await openBackup(file, passphrase);
  try {
    for await (const { rows } of reader.tables()) await passOver(rows);
    return reader.header;
  } finally {
    close();
  }
}
