import { expect, it } from 'vitest';
import { useTestDatabase } from '../test/index.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { tablesGoneThrough, upgradeScope } from './upgradeScope.ts';

const test = useTestDatabase();
const tables = (sql: string): string[] => [...tablesGoneThrough({ sql })].sort();

it.each([
  ['update node set name = null', ['node']],
  ['delete from only edge where kind = 1', ['edge']],
  ['create unique index one on finding (id)', ['finding']],
  ['create index if not exists one on finding (id)', ['finding']],
  ['insert into a select id from finding join node on true', ['finding', 'node']],
  ['alter table finding alter column id type bigint', ['finding']],
  ['alter table finding add constraint one check (id > 0)', ['finding']],
  ['alter table finding add column one integer; create table two (id integer)', []],
  ['alter table finding drop column one; alter table node alter column id set not null', ['node']],
])('the tables that a step goes through: %s', (sql, expected) => {
  expect(tables(sql)).toEqual(expected);
});

it('the scope counts each step with the sizes of its tables', async () => {
  const { pool } = test.database;
  await pool.query(
    "insert into setting (key, value) select 'k' || n, to_jsonb(n) from generate_series(1, 20000) n",
  );
  const { rows } = await pool.query("select pg_total_relation_size('setting')::integer as bytes");
  const step = { name: '999-future', sql: 'update setting set value = value' };
  const none = await upgradeScope(pool, [{ name: '998-future', sql: 'create table one (id integer)' }]);
  expect(none).toMatchObject({ steps: 1, bytes: 0, analysis: undefined });
  const two = await upgradeScope(pool, [step, step]);
  expect(two.bytes).toBe(2 * rows[0].bytes);
  expect(two.databaseBytes).toBeGreaterThan(rows[0].bytes);
});

it('the latest analysis is read with its recipe and duration, also without them', async () => {
  const { pool } = test.database;
  const insert = (report: unknown) =>
    pool.query(
      'insert into generation (facts_version, node_count, edge_count, report) values (1, 0, 0, $1)',
      [JSON.stringify(report)],
    );
  await insert({});
  expect((await upgradeScope(pool, [])).analysis).toEqual({ recipe: null, milliseconds: 0 });
  await insert({ recipe: '{}', ms: { load: 20, derive: 30.5, odd: 'x' } });
  expect((await upgradeScope(pool, [])).analysis).toEqual({ recipe: '{}', milliseconds: 50.5 });
});

it('a table of the schema is found in the steps that change its rows', () => {
  const found = new Set(MIGRATIONS.flatMap((step) => [...tablesGoneThrough(step)]));
  expect([...found]).toEqual(expect.arrayContaining(['finding', 'node']));
});
