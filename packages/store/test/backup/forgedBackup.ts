/** Forged backups with a correct digest and invalid contents. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { FILE_END } from '../../src/backup/backupFormat.ts';

const framed = (record: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(record.length);
  return Buffer.concat([length, record]);
};

/** @param records all except the last, which has their digest */
export function forgedBackup(head: unknown, records: readonly (Buffer | object)[]): Buffer {
  const bytes = Buffer.concat(
    records.map((record) => framed(Buffer.isBuffer(record) ? record : Buffer.from(JSON.stringify(record)))),
  );
  const hash = createHash('sha256')
    .update(`${JSON.stringify(head)}\n`)
    .update(bytes);
  const end = framed(Buffer.from(JSON.stringify({ sha256: hash.digest('hex') })));
  return withBody(head, Buffer.concat([bytes, end]));
}

/** @param body before it is compressed */
export const withBody = (head: unknown, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), zstdCompressSync(body), FILE_END]);

interface OpenedTable {
  record: { table: string; columns: string[] };
  rows: Buffer[];
}

/** @returns the header and the tables of a backup without a passphrase */
export function openedBackup(file: string): { header: Record<string, unknown>; tables: OpenedTable[] } {
  const whole = readFileSync(file);
  const body = zstdDecompressSync(whole.subarray(whole.indexOf('\n') + 1, whole.length - FILE_END.length));
  const records: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const size = body.readUInt32BE(at);
    records.push(body.subarray(at + 4, at + 4 + size));
    at += 4 + size;
  }
  const header = JSON.parse(String(records.shift()));
  records.pop();
  const tables: OpenedTable[] = [];
  while (records.length > 0) {
    const record = JSON.parse(String(records.shift()));
    const end = records.findIndex(({ length }) => length === 0);
    tables.push({ record, rows: records.splice(0, end) });
    records.shift();
  }
  return { header, tables };
}

/** @returns a backup file with these tables */
export const closedBackup = (header: object, tables: readonly OpenedTable[]): Buffer =>
  forgedBackup({ clew_backup: 1 }, [
    { ...header, tables: tables.length },
    ...tables.flatMap(({ record, rows }) => [record, ...rows, Buffer.alloc(0)]),
  ]);
