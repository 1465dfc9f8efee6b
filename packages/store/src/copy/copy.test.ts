/** Tests COPY in both directions: written rows are read back unchanged, wherever the stream is split. */
import { once } from 'node:events';
import fc from 'fast-check';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDatabase } from '../../test/index.ts';
import type { Database } from '../database.ts';
import { CopyParser, type CopyRow, copyOut } from './copyOut.ts';
import { CopyRows } from './copyRows.ts';

let database: Database;
let client: pg.Client;

beforeAll(async () => {
  database = await startTestDatabase({ migrated: false });
  client = new pg.Client(database.connection);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.close();
});

interface Row {
  readonly number: number;
  readonly high: number;
  readonly low: number;
  readonly flag: boolean;
  readonly bytes: Uint8Array;
  readonly text: string | null;
  readonly json: unknown;
  readonly ints: readonly number[];
  readonly shorts: readonly number[];
  readonly texts: readonly string[];
}

const anyText = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ''));

const anyRow: fc.Arbitrary<Row> = fc.record({
  number: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  high: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  low: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  flag: fc.boolean(),
  bytes: fc.uint8Array({ maxLength: 40 }),
  text: fc.option(anyText),
  json: fc.dictionary(fc.string({ unit: 'grapheme-ascii' }), fc.oneof(fc.integer(), fc.boolean(), anyText)),
  ints: fc.array(fc.integer({ min: 0, max: 2 ** 31 - 1 }), { maxLength: 40 }),
  shorts: fc.array(fc.integer({ min: 0, max: 2 ** 15 - 1 }), { maxLength: 40 }),
  texts: fc.array(anyText, { maxLength: 4 }),
});

function write(rows: CopyRows, row: Row): void {
  rows.row(9);
  rows.int4(row.number);
  rows.int8(row.high, row.low);
  rows.bool(row.flag);
  if (row.text === null) rows.null();
  else rows.text(row.text);
  rows.jsonb(JSON.stringify(row.json));
  rows.int4Array(row.ints);
  rows.int2Array(row.shorts);
  rows.textArray(row.texts);
  rows.bytea(row.bytes);
}

function read(row: CopyRow): Omit<Row, 'high' | 'low' | 'texts'> & { readonly int8: readonly number[] } {
  const ints = new Uint32Array(row.arrayLength(5));
  row.int4Array(5, ints, 0);
  const shorts: number[] = [];
  row.int2Array(6, shorts, 0);
  return {
    number: row.int4(0),
    int8: [row.int8High(1), row.int8Low(1)],
    flag: row.bool(2),
    bytes: new Uint8Array(row.field(8)),
    text: row.isNull(3) ? null : row.text(3),
    json: row.json(4),
    ints: [...ints],
    shorts,
  };
}

it('reads back every value that was written', async () => {
  await client.query(
    'create temporary table t (n integer, b bigint, f boolean, t text, j jsonb, i integer[], s smallint[], x text[], y bytea)',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(anyRow, { maxLength: 20 }), async (rows) => {
      await client.query('truncate t');
      const writer = new CopyRows(64);
      for (const row of rows) write(writer, row);
      const stream = client.query(copyFrom('copy t from stdin (format binary)'));
      stream.end(writer.take());
      await once(stream, 'finish');

      const copied: unknown[] = [];
      await copyOut(client, 'select * from t order by ctid', (row) => copied.push(read(row)));
      expect(copied).toEqual(
        rows.map(({ high, low, texts, ...others }) => ({ ...others, int8: [high, low] })),
      );
      const queried = await client.query('select b::text as b, x from t order by ctid');
      expect(queried.rows).toEqual(
        rows.map(({ high, low, texts }) => ({
          b: String((BigInt(high) << 32n) | BigInt(low >>> 0)),
          x: texts,
        })),
      );
    }),
    { numRuns: 40 },
  );
});

it('splits a stream into rows wherever its chunks end', () => {
  const rows = new CopyRows();
  const texts = ['', 'a', 'two words', 'x'.repeat(300), 'long'.repeat(5000), 'last'];
  for (const text of texts) {
    rows.row(2);
    rows.text(text);
    rows.null();
  }
  const bytes = rows.take();
  for (let size = 1; size <= bytes.length; size += size < 40 ? 1 : size < 400 ? 37 : 1009) {
    const parsed: string[] = [];
    const parser = new CopyParser((row) => {
      expect(row.isNull(1)).toBe(true);
      parsed.push(row.text(0));
    });
    for (let at = 0; at < bytes.length; at += size) parser.write(bytes.subarray(at, at + size));
    parser.finish();
    expect(parsed).toEqual(texts);
  }
});

it('reports a stream that ends in the middle of a row', () => {
  const rows = new CopyRows();
  rows.row(1);
  rows.text('whole');
  const parser = new CopyParser(() => {});
  parser.write(rows.take().subarray(0, -4));
  expect(() => parser.finish()).toThrow('in the middle of a row');
});

it('throws the error of the query or of the reader of rows', async () => {
  const own = new pg.Client(database.connection);
  own.on('error', () => {});
  await own.connect();
  await expect(copyOut(own, 'select 1/0', () => {})).rejects.toThrow('division by zero');
  const fault = new Error('no more');
  const throwing = copyOut(own, 'select generate_series(1, 10)', () => {
    throw fault;
  });
  await expect(throwing).rejects.toThrow(fault);
  await own.end();
});
