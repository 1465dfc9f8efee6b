/** The sources of relationships, and the statements that read them. */
import { graphOf } from '@clew/graph/testing';
import { Aspect } from '@clew/model';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { factDates } from '../stored/factDates.ts';
import { samplesAmong, withSources } from './relationSources.ts';
import type { StartedPlan } from './startedFacts.ts';

const relation = (start: string, end: string) => ({ start, kind: 'GenericAll', end, flags: 0 });
/** The first is reported by a collector, the second by a file, the third by both. */
const [COLLECTED, SAMPLE, BOTH] = [relation('A', 'B'), relation('A', 'C'), relation('C', 'B')];
/** No source reports these. */
const MISSING = relation('B', 'C');
const UNKNOWN = relation('A', 'nowhere');

let database: Database;
/** Statements that read the members of sets. */
let wholeSets = 0;
const counter: KyselyPlugin = {
  transformQuery({ node }) {
    if (JSON.stringify(node).includes('unnest(start_ids')) wholeSets++;
    return node;
  },
  transformResult: async ({ result }) => result,
};

beforeAll(async () => {
  database = await startTestDatabase();
  const { pool } = database;
  await pool.query("insert into object_id (object_id) values ('A'), ('B'), ('C')");
  await pool.query("insert into edge_kind (id, name) values (30001, 'GenericAll') on conflict do nothing");
  await pool.query("insert into source (name) values ('sharphound'), ('opengraph:X') on conflict do nothing");
  const named = `
    (select id from object_id where object_id = $1), (select id from edge_kind where name = 'GenericAll'),
    (select id from object_id where object_id = $2)`;
  for (const { start, end } of [SAMPLE, BOTH])
    await pool.query(
      `insert into sample_edge (start_id, kind_id, end_id, source_id, owner_id, flags, first_seen, last_seen)
      select start_id, kind_id, end_id, source.id, end_id, 0, now(), now()
      from (select ${named}) as edge (start_id, kind_id, end_id), source where name = 'opengraph:X'`,
      [start, end],
    );
  await pool.query(
    `insert into edge_set (owner_id, aspect, source_id, start_ids, kind_ids, end_ids, flags, first_seen, collected_at)
    select max(end_id), ${Aspect.acl}, max(source.id), array_agg(start_id), array_agg(kind_id), array_agg(end_id),
      array[0, 0]::smallint[], now(), now()
    from (
      select start_node.id, edge_kind.id, end_node.id
      from object_id start_node, edge_kind, object_id end_node
      where start_node.object_id in ('A', 'C') and edge_kind.name = 'GenericAll' and end_node.object_id = 'B'
    ) as edge (start_id, kind_id, end_id), source where name = 'sharphound'`,
  );
});
afterAll(() => database.close());

const watched = () => {
  wholeSets = 0;
  return database.db.withPlugin(counter);
};

async function marked(...removed: StartedPlan['packages'][number]['changes'][number]['removed']) {
  const change = { title: '', removed, properties: [] };
  const plan = { zone: 1, generation: 1, exposure: [], effort: [] };
  const { packages } = await withSources(watched(), {
    ...plan,
    packages: [{ title: '', changes: [change] }],
  });
  return packages[0]!.changes[0]!.removed.flatMap((one) =>
    one.is_sample ? [`${one.start} ${one.end}`] : [],
  );
}

it('finds the relationships of files by their keys', async () => {
  const all = [COLLECTED, SAMPLE, BOTH, MISSING, UNKNOWN];
  expect([...(await samplesAmong(watched(), all))]).toEqual(expect.arrayContaining([SAMPLE, BOTH]));
  expect((await samplesAmong(watched(), all)).size).toBe(2);
  expect(await samplesAmong(watched(), [])).toEqual(new Set());
  expect(wholeSets).toBe(0);
});

it('marks relationships that only files report, and reads whole sets only for relationships of files', async () => {
  expect(await marked(COLLECTED, SAMPLE, BOTH, MISSING, UNKNOWN)).toEqual(['A C']);
  expect(wholeSets).toBe(1);
  expect(await marked(COLLECTED, MISSING)).toEqual([]);
  expect(wholeSets).toBe(0);
});

it('reads no whole set for the dates of facts', async () => {
  const { graph } = graphOf({ nodes: ['A', 'B', 'C'].map((id) => ({ id })) });
  const removed = [COLLECTED, SAMPLE, BOTH];
  const dates = await factDates(watched(), graph, [{ title: '', removed, properties: [] }]);
  expect(removed.map((one) => dates.oldestOf(one) === null)).toEqual([false, true, true]);
  expect(wholeSets).toBe(0);
});
