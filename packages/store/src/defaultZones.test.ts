/** Tests the objects of every installation, and their records in the history. */
import { DEFAULT_SELECTORS } from '@clew/model';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDatabase } from '../test/index.ts';
import type { Database } from './database.ts';
import { registerDefaultZones } from './defaultZones.ts';
import { historyOfDefaultsMigration } from './migrations/043-history-of-defaults.ts';

let database: Database;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());

const history = async (): Promise<string[]> => {
  const { rows } = await database.pool.query<{ actor: string; action: string; target: string }>(
    'select actor, action, target from asset_group_history order by id',
  );
  return rows.map(({ actor, action, target }) => `${actor} ${action} ${target}`);
};

const MADE = [
  'SYSTEM CreateTag Tier Zero',
  'SYSTEM CreateTag Owned',
  ...DEFAULT_SELECTORS.map(({ name }) => `SYSTEM CreateSelector ${name}`),
];

async function start(): Promise<void> {
  const client = await database.pool.connect();
  try {
    await registerDefaultZones(client);
  } finally {
    client.release();
  }
}

test('the history starts with the objects that the system created, and each start adds new ones', async () => {
  const first = await history();
  expect(first.slice(0, 2)).toEqual(MADE.slice(0, 2));
  expect(first.toSorted()).toEqual(MADE.toSorted());
  await start();
  expect(await history()).toEqual(first);
  const [{ key, name }] = DEFAULT_SELECTORS;
  await database.pool.query('delete from asset_group_tag_selector where default_key = $1', [key]);
  await start();
  expect((await history()).slice(first.length)).toEqual([`SYSTEM CreateSelector ${name}`]);
});

test('an older installation gets records of its objects, before the existing ones', async () => {
  await database.pool.query('truncate asset_group_history restart identity');
  await database.pool.query(
    "insert into asset_group_history (actor, action, target, asset_group_tag_id) values ('ann', 'CreateTag', 'Own', 3)",
  );
  await database.pool.query(historyOfDefaultsMigration.sql);
  const found = await history();
  expect(found.slice(0, 2)).toEqual(MADE.slice(0, 2));
  expect(found.toSorted()).toEqual([...MADE, 'ann CreateTag Own'].toSorted());
  expect(found.at(-1)).toBe('ann CreateTag Own');
});
