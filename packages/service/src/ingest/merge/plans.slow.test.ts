/**
 * How the statements of a merge find what is stored. A batch is small and the store is large: a statement that goes through
 * a stored table in each batch is invisible in small stores and stops everything in large ones.
 */
import type { ObjectFacts } from '@clew/model';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { described, edge, edgeSet, mentioned, record } from '../testing/facts.ts';
import { dayTime, mergeInBatches } from '../testing/mergeHarness.ts';

const STORED = ['node', 'edge_set', 'sighting', 'sample_edge', 'object_id', 'observation'];
const OBJECTS = 60_000;

let database: Database;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());

/** A source with many objects and three sets each, of the usual size, as an earlier collection left it. */
async function fill(pool: pg.Pool): Promise<void> {
  await pool.query('truncate node, sighting, edge_set, sample_edge, object_id restart identity');
  for (const table of STORED) await pool.query(`alter table ${table} set (autovacuum_enabled = false)`);
  await pool.query("insert into source (name) values ('sharphound') on conflict do nothing");
  await pool.query(`insert into object_id (object_id) select 'U' || n from generate_series(1, ${OBJECTS}) n`);
  await pool.query(
    `insert into node (id, kinds, properties, described, first_seen)
     select id, '{1, 2}', jsonb_build_object('name', object_id, 'others', repeat('x', 900)), true, '2026-01-01' from object_id`,
  );
  await pool.query(
    `insert into sighting (node_id, source_id, last_seen, last_collected, aspects)
     select object_id.id, source.id, '2026-01-01', '2026-01-01', 7 from object_id cross join source`,
  );
  await pool.query(
    `insert into edge_set (owner_id, aspect, source_id, start_ids, kind_ids, end_ids, flags, first_seen, collected_at)
     select object_id.id, aspect, source.id, array_fill(1, array[20]), array_fill(1, array[20]), array_fill(object_id.id, array[20]), array_fill(0, array[20]),
            '2026-01-01', '2026-01-01'
     from object_id cross join source cross join generate_series(0, 2) aspect`,
  );
}

/** Known and new objects; sets that are other, the same again, empty, shared by records, added; hints; sessions. */
const job = (): ObjectFacts[] =>
  Array.from({ length: 600 }, (_, at) => {
    const id = at % 3 === 0 ? `UNEW${at}` : `U${1 + at * 90}`;
    return record(
      [
        described(id, 'User', { name: `N${at % 7}`, cleared: null }),
        mentioned(`G${at % 40}`, 'Group', { name: 'G' }),
      ],
      [
        edgeSet(
          id,
          'acl',
          at % 5 === 0 ? [] : [`U${1 + at} -GenericAll-> ${id}`, `G${at % 40} -Owns-> ${id}`],
        ),
        edgeSet(id, 'primary-group', [`${id} -MemberOf-> G${at % 40}`]),
        edgeSet(`G${at % 40}`, 'members', [edge(`${id} -MemberOf-> G${at % 40}`)], {
          replaces: at % 2 === 0,
        }),
        edgeSet(`U${OBJECTS - at}`, 'gp-links', []),
        edgeSet(`C${at}`, 'sessions', [`C${at} -HasSession-> ${id}`]),
      ],
    );
  });

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** @returns stored tables that the plan reads from their beginning to their end */
function passesOver(plan: PlanNode): string[] {
  const table: string = plan['Relation Name'] ?? '';
  const isWhole: boolean = plan['Node Type'] === 'Seq Scan' && STORED.includes(table);
  return [...(isWhole ? [table] : []), ...(plan.Plans ?? []).flatMap(passesOver)];
}

describe.each([
  ['never looked at, as those that grow within one transaction', false],
  ['known to the planner', true],
] as const)('a batch, of tables that are %s', (_, isAnalysed) => {
  beforeEach(async () => {
    await fill(database.pool);
    if (isAnalysed) await database.pool.query('analyze');
  });

  it('passes over no stored table', async () => {
    const found: string[] = [];
    const statements = new Set<string>();
    let batches = 0;
    await mergeInBatches(database, dayTime(2), 200, [{ records: job() }], async (client, text, values) => {
      const isPlanned = /^\s*(insert|update|delete|merge|select|with)\b/i.test(text);
      if (/^truncate/.test(text.trim())) batches++;
      // What comes after the batches is done once for the whole job.
      if (!isPlanned || batches >= 3) return;
      const { rows } = await client.query(`explain (format json) ${text}`, values);
      statements.add(text);
      const [{ Plan: plan }]: { readonly Plan: PlanNode }[] = rows[0]['QUERY PLAN'];
      for (const table of passesOver(plan)) found.push(`${table}: ${text.trim().slice(0, 60)}`);
    });
    expect(batches).toBeGreaterThanOrEqual(3);
    expect(statements.size).toBeGreaterThan(10);
    expect(found).toEqual([]);
  });
});
