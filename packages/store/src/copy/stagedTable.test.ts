import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDatabase } from '../../test/index.ts';
import type { Database } from '../database.ts';
import { copyIn, createStaged } from './copyIn.ts';
import { columnList, StagedRows, stagedTable } from './stagedTable.ts';

const EVERY_TYPE = stagedTable('every_type', [
  ['flag', 'bool'],
  ['small', 'int2'],
  ['plain', 'int4', 'nullable'],
  ['large', 'int8'],
  ['fraction', 'float8'],
  ['words', 'text', 'nullable'],
  ['bytes', 'ctext'],
  ['json', 'jsonb', 'nullable'],
  ['smalls', 'int2Array'],
  ['plains', 'int4Array'],
  ['texts', 'textArray'],
]);

let database: Database;

beforeAll(async () => {
  database = await startTestDatabase({ migrated: false });
});
afterAll(() => database.close());

describe('a staged table', () => {
  test('is created with its declared columns', () => {
    const table = stagedTable('t', [
      ['a', 'ctext'],
      ['b', 'int8', 'nullable'],
    ]);
    expect(columnList(table)).toBe('a text collate "C" not null, b bigint');
  });

  test('accepts rows of every type', async () => {
    const client = await database.pool.connect();
    try {
      await client.query('begin');
      await createStaged(client, EVERY_TYPE);
      await copyIn(client, EVERY_TYPE, 3, (rows, at) => {
        if (at === 1) return; // Skips a row.
        const isLast = at === 2;
        rows
          .begin()
          .flag(isLast)
          .small(-at)
          .plain(isLast ? null : 7)
          .large(1, 2)
          .fraction(0.5)
          .words(isLast ? null : 'näh')
          .bytes('')
          .json(isLast ? null : '{"a":[1]}')
          .smalls([1, -2, 3], 2)
          .plains(Uint32Array.of(4, 5))
          .texts(['', 'x']);
      });
      const { rows } = await client.query('select * from every_type order by flag');
      const common = {
        large: 2 ** 32 + 2,
        fraction: 0.5,
        bytes: '',
        smalls: [1, -2],
        plains: [4, 5],
        texts: ['', 'x'],
      };
      expect(rows).toEqual([
        { ...common, flag: false, small: 0, plain: 7, words: 'näh', json: { a: [1] } },
        { ...common, flag: true, small: -2, plain: null, words: null, json: null },
      ]);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  test('reports an incomplete row', () => {
    const rows = new StagedRows(
      stagedTable('pair', [
        ['a', 'int4'],
        ['b', 'int4'],
      ]),
    );
    rows.begin().a(1).b(2);
    rows.begin().a(1);
    expect(() => rows.begin()).toThrow('a row of pair lacks its last 1 columns');
    expect(() => rows.take()).toThrow('a row of pair lacks its last 1 columns');
  });

  test('does not compile with a missing column, or one out of order or of another type', () => {
    const rows = new StagedRows(EVERY_TYPE);
    const attempts = [
      // @ts-expect-error: the second column comes after the first
      () => rows.begin().small(1),
      // @ts-expect-error: a boolean
      () => rows.begin().flag(1),
      // @ts-expect-error: not nullable
      () => rows.begin().flag(null),
    ];
    expect(attempts).toHaveLength(3);
  });
});
