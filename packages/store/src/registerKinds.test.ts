import { EDGE_KINDS, NODE_KINDS } from '@clew/model';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDatabase } from '../test/index.ts';
import type { Database } from './database.ts';
import { registerKinds } from './registerKinds.ts';

let database: Database;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());

test('a custom kind becomes the built-in kind of the same name', async () => {
  const { pool } = database;
  await pool.query(`insert into node_kind values (3001, 'Robot'), (3002, 'Other')`);
  await pool.query(`insert into edge_kind values (2001, 'CanSteer'), (2002, 'Likes')`);
  await pool.query(`insert into object_id (object_id) values ('A'), ('B')`);
  await pool.query(
    `insert into node (id, kinds, properties, described, first_seen)
     select id, case object_id when 'A' then array[1, 3001, 3002] else array[3002] end, '{}', true, now() from object_id`,
  );
  await pool.query(`insert into source (name) values ('opengraph:Robot')`);
  await pool.query(
    `insert into edge_set (owner_id, aspect, source_id, start_ids, kind_ids, end_ids, flags, first_seen, collected_at)
     select a.id, 0, (select max(id) from source), array[a.id, a.id], array[2001, 2002], array[b.id, b.id], array[0, 0], now(), now()
     from object_id a, object_id b where a.object_id = 'A' and b.object_id = 'B'`,
  );
  const version = async () => (await pool.query('select version from facts_state')).rows[0].version;
  const before = await version();
  const client = await pool.connect();
  try {
    const kinds = {
      node: [...NODE_KINDS, { id: 900, name: 'Robot' }],
      edge: [...EDGE_KINDS, { id: 901, name: 'CanSteer' }],
    };
    await registerKinds(client, kinds);
    expect(await version()).toBe(before + 1);
    // Correct rows stay unchanged.
    await registerKinds(client, kinds);
    expect(await version()).toBe(before + 1);
  } finally {
    client.release();
  }
  const nodes = await pool.query('select kinds from node join object_id using (id) order by object_id');
  expect(nodes.rows.map(({ kinds }) => kinds)).toEqual([[1, 900, 3002], [3002]]);
  const { rows: sets } = await pool.query('select kind_ids from edge_set');
  expect(sets.map(({ kind_ids }) => kind_ids)).toEqual([[901, 2002]]);
  const names = await pool.query(
    `select id from node_kind where name = 'Robot' union all select id from edge_kind where name = 'CanSteer'`,
  );
  expect(names.rows.map(({ id }) => id)).toEqual([900, 901]);
});
