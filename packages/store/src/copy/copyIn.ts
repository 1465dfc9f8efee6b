/** Sends rows to a table as one binary COPY, in pieces, with backpressure from the server. */
import { once } from 'node:events';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { CopyRows } from './copyRows.ts';
import { columnList, type StagedColumn, StagedRows, type StagedTable } from './stagedTable.ts';

const FLUSH_BYTES = 1024 * 1024;

/** An int8 for COPY: bits 32 to 63, and bits 0 to 31 as in an int4. */
export interface Halves {
  readonly high: number;
  readonly low: number;
}

/**
 * @param time default: the time of the transaction
 * @returns the time in the format of COPY. The database computes it, because its times have more digits than those of JavaScript
 */
export async function halvesOfTime(client: Pick<pg.ClientBase, 'query'>, time?: string): Promise<Halves> {
  const { rows } = await client.query<{ since2000: string }>(
    `select ((extract(epoch from coalesce($1::timestamptz, now())) - extract(epoch from timestamptz '2000-01-01Z'))
             * 1000000)::bigint::text as since2000`,
    [time ?? null],
  );
  const value = BigInt(rows[0].since2000);
  return { high: Number(value >> 32n), low: Number(BigInt.asIntN(32, value)) };
}

/** Creates a temporary table that is dropped at the end of the transaction. */
export async function createStaged(client: pg.ClientBase, table: StagedTable): Promise<void> {
  await client.query(`create temporary table ${table.name} (${columnList(table)}) on commit drop`);
}

/** @param write writes or skips row `at` (0 .. count - 1) */
export async function copyIn<Columns extends readonly StagedColumn[]>(
  client: pg.ClientBase,
  table: StagedTable<Columns>,
  count: number,
  write: (rows: StagedRows<Columns>, at: number) => void,
): Promise<void> {
  const columns = table.columns.map(([name]) => name).join(', ');
  const stream = client.query(copyFrom(`copy ${table.name} (${columns}) from stdin (format binary)`));
  const finished = once(stream, 'finish');
  finished.catch(() => {});
  stream.on('error', () => {});
  const rows = new StagedRows(table);
  let begun = false;
  const send = async (): Promise<void> => {
    // In the pieces of one COPY, the signature precedes only the first piece, and the trailer follows the last.
    const piece = rows.take();
    const body = piece.subarray(begun ? CopyRows.headerBytes : 0, piece.length - CopyRows.trailerBytes);
    begun = true;
    if (!stream.write(body)) await Promise.race([once(stream, 'drain'), finished]);
  };
  for (let at = 0; at < count; at++) {
    write(rows, at);
    if (rows.copy.byteCount > FLUSH_BYTES) await send();
  }
  await send();
  stream.end();
  await finished;
}

/**
 * Prepares a staged table to be joined by a key. New databases need the index: their statistics still describe empty tables, and the
 * resulting plan would read all staged rows for each stored row.
 */
export async function indexStaged<Columns extends readonly StagedColumn[]>(
  client: pg.ClientBase,
  { name }: StagedTable<Columns>,
  key: readonly Columns[number][0][],
): Promise<void> {
  await client.query(`create index on ${name} (${key.join(', ')})`);
  await client.query(`analyze ${name} (${key.join(', ')})`);
}
