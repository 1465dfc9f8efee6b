/**
 * Compares the schema after all migrations with a file next to them, in which a reviewer sees the changes. After a new migration, `npx
 * vitest run --update=all packages/store/src/migratedSchema.test.ts` writes it.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDatabase } from '../test/index.ts';
import { schemaText } from '../test/schemaText.ts';
import type { Database } from './database.ts';

let database: Database;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());

test('the migrations produce the recorded schema', async () => {
  await expect(await schemaText(database.pool)).toMatchFileSnapshot('migrations/schema.txt');
});

test.each([
  ['a table', 'create table more (id integer)'],
  ['a column', 'alter table finding add column more text'],
  ['a column that may be null', 'alter table finding alter column tag_id drop not null'],
  ['a default', "alter table asset_group_tag alter column description set default 'x'"],
  ['an index', 'create index more on finding (source_id)'],
  ['a check', 'alter table asset_group_tag drop constraint asset_group_tag_type_check'],
  ['a view', 'create view more as select 1 as one'],
  ['a function', 'create function more() returns integer language sql as $$select 1$$'],
])('the text shows %s that differs', async (_, statement) => {
  const client = await database.pool.connect();
  try {
    const before = await schemaText(client);
    await client.query('begin');
    await client.query(statement);
    expect(await schemaText(client)).not.toBe(before);
  } finally {
    await client.query('rollback');
    client.release();
  }
});
