/**
 * Checks how the statements of a merge find stored rows. A batch is small and the store is large: a statement that goes through
 * a stored table in each batch is invisible in small stores and stops everything in large ones.
 */
import type { ObjectFacts } from '@clew/model';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { described, edge, edgeSet, mentioned, record } from '../../../test/ingest/facts.ts';
import { dayTime, mergeInBatches } from '../../../test/ingest/mergeHarness.ts';

const STORED = ['node', 'edge_set', 'sighting', 'sample_edge', 'object_id', 'observation'];
const OBJECTS = 30_000;
const GROUPS = 40;
/** For an object of the store there are as many of a batch as of 20,000 for 700,000. */
const RECORDS_OF_BATCH = 900;
const BATCHES = 3;
const RECORDS = BATCHES * RECORDS_OF_BATCH;
const FILES = 6;

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
  await pool.query(
    `insert into object_id (object_id) select 'G' || n from generate_series(0, ${GROUPS - 1}) n;
     insert into object_id (object_id) select 'U' || n from generate_series(1, ${OBJECTS}) n`,
  );
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

/**
 * Known and new objects; sets that are changed, equal, empty, shared by records, added; hints; sessions. Objects come in the
 * order of their numbers, as from a collector: those of the first batch, which the planner has statistics of, are adjacent, and
 * it assumes the same of all batches.
 */
const job = (): ObjectFacts[] =>
  Array.from({ length: RECORDS }, (_, at) => {
    const id = at % 3 === 0 ? `UNEW${at}` : `U${1 + at}`;
    return record(
      [
        described(id, 'User', { name: `N${at % 7}`, cleared: null }),
        mentioned(`G${at % GROUPS}`, 'Group', { name: 'G' }),
      ],
      [
        edgeSet(
          id,
          'acl',
          at % 5 === 0 ? [] : [`U${1 + at} -GenericAll-> ${id}`, `G${at % GROUPS} -Owns-> ${id}`],
        ),
        edgeSet(id, 'primary-group', [`${id} -MemberOf-> G${at % GROUPS}`]),
        edgeSet(`G${at % GROUPS}`, 'members', [edge(`${id} -MemberOf-> G${at % GROUPS}`)], {
          replaces: at % 2 === 0,
        }),
        edgeSet(`U${OBJECTS / 2 + at}`, 'gp-links', []),
        edgeSet(`C${at}`, 'sessions', [`C${at} -HasSession-> ${id}`]),
      ],
    );
  });

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  /** The lookup in the index. */
  readonly 'Index Cond'?: string;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PlanNode[];
}

/** Each has the few nodes of some kind. */
const SMALL_INDEXES = ['node_domain', 'node_tenant', 'node_management_group', 'node_completed'];

/** A list to look in is made for each of two halves of a question; a loop over files or rows goes on longer. */
const MAX_LOOPS = 2;

/** @returns tables of the store that the plan reads from their beginning to their end, and any that it reads so repeatedly */
function passesOver(plan: PlanNode): string[] {
  const table: string = plan['Relation Name'] ?? '';
  const isOfIndex: boolean =
    /^Index( Only)? Scan$/.test(plan['Node Type']) &&
    plan['Index Cond'] === undefined &&
    !SMALL_INDEXES.includes(plan['Index Name'] ?? '');
  const isWhole: boolean = plan['Node Type'] === 'Seq Scan' || isOfIndex;
  const isPass: boolean = isWhole && (STORED.includes(table) || plan['Actual Loops'] > MAX_LOOPS);
  return [...(isPass ? [table] : []), ...(plan.Plans ?? []).flatMap(passesOver)];
}

/** Runs the statement, and rolls back its changes. */
async function planOf(client: pg.ClientBase, text: string, values: unknown[]): Promise<PlanNode> {
  await client.query('savepoint before_plan');
  const { rows } = await client.query(`explain (analyze, timing off, format json) ${text}`, values);
  await client.query('rollback to before_plan');
  const [{ Plan: plan }]: { readonly Plan: PlanNode }[] = rows[0]['QUERY PLAN'];
  return plan;
}

describe.each([
  ['never looked at, as those that grow within one transaction', false],
  ['known to the planner', true],
] as const)('a batch, of tables that are %s', (_, isAnalyzed) => {
  beforeEach(async () => {
    await fill(database.pool);
    if (isAnalyzed) await database.pool.query('analyze');
  });

  it('scans no stored table', async () => {
    const found: string[] = [];
    const statements = new Set<string>();
    let batches = 0;
    const records = job();
    const files = Array.from({ length: FILES }, (_, file) => ({
      records: records.filter((__, at) => Math.floor((at * FILES) / RECORDS) === file),
    }));
    await mergeInBatches(database, dayTime(2), RECORDS_OF_BATCH, files, async (client, text, values) => {
      const isPlanned = /^\s*(insert|update|delete|merge|select|with)\b/i.test(text);
      if (/^truncate/.test(text.trim())) batches++;
      // The statements after the batches run once for the whole job.
      if (!isPlanned || batches >= BATCHES) return;
      const plan = await planOf(client, text, values);
      statements.add(text);
      for (const table of passesOver(plan)) found.push(`${table}: ${text.trim().slice(0, 60)}`);
    });
    expect(batches).toBeGreaterThanOrEqual(BATCHES);
    expect(statements.size).toBeGreaterThan(10);
    expect(found).toEqual([]);
  });
});
