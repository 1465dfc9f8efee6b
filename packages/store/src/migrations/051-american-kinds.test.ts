import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDatabase } from '../../test/index.ts';
import type { Database } from '../database.ts';
import { americanKindsMigration } from './051-american-kinds.ts';

let database: Database;

beforeAll(async () => {
  database = await startTestDatabase();
});

afterAll(() => database.close());

it('renames the kinds of repairs in saved plans, plans of zones and constraints, and nothing else', async () => {
  const { pool } = database;
  await pool.query(`
    insert into saved_plan (name, description, created_by, request, expected, adoption) values
      ('a', '', 'ann', '{"changes": [{"repair": "remove-enrolment:T:P"}]}', '{"closed": 1}', '{"kinds": ["unsynchronise"]}'),
      ('b', '', 'ann', '{"changes": [{"repair": "remove-member:G:U"}]}', '{"closed": 2}', null);
    insert into zone_plan (zone, generation, basis, state, published_at, cards, plan) values
      (1, 1, 'x', 'complete', now(), 1, '{"id":"authority-web-enrolment:CA"}');
    insert into plan_constraint (subject, title, reason, created_by, repairs, repair_kind) values
      ('repairs', 't', 'r', 'ann', '["remove-enrolment:T:P"]', null),
      ('kind', 't', 'r', 'ann', null, 'unsynchronise');
  `);
  await pool.query(americanKindsMigration.sql);
  const rows = async (columns: string, table: string) =>
    (await pool.query({ text: `select ${columns} from ${table} order by id`, rowMode: 'array' })).rows;
  expect(await rows('request, expected, adoption', 'saved_plan')).toEqual([
    [{ changes: [{ repair: 'remove-enrollment:T:P' }] }, { closed: 1 }, { kinds: ['unsynchronize'] }],
    [{ changes: [{ repair: 'remove-member:G:U' }] }, { closed: 2 }, null],
  ]);
  expect((await pool.query('select plan from zone_plan')).rows).toEqual([
    { plan: { id: 'authority-web-enrollment:CA' } },
  ]);
  expect(await rows('repairs, repair_kind', 'plan_constraint')).toEqual([
    [['remove-enrollment:T:P'], null],
    [null, 'unsynchronize'],
  ]);
});
