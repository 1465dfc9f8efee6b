/** Merges of any sequence of jobs give the result of the rule of sets, in any order and in batches of any size. */
import { EdgeFlag, type ObjectFacts, type Properties } from '@clew/model';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dumpFacts } from '../../../test/ingest/dumpFacts.ts';
import { described, edge, edgeSet, mentioned, record } from '../../../test/ingest/facts.ts';
import { dayTime, mergeInBatches, type TestMerge } from '../../../test/ingest/mergeHarness.ts';

const RUNS = 2 * Number(process.env.CLEW_TEST_RUNS ?? 1);

let database: Database;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());

/** Objects merged together: the result is the same. */
const anyBatch = fc.constantFrom(undefined, 1, 2);

const emptyTables = () =>
  database.pool.query('truncate node, sighting, edge_set, sample_edge, object_id restart identity');

function merge(
  day: number,
  batchObjects: number | undefined,
  records: readonly ObjectFacts[],
): Promise<TestMerge> {
  return mergeInBatches(database, dayTime(day), batchObjects, [{ records }]);
}

/** Records over few ids, so that they meet often. */
const anyRecord: fc.Arbitrary<ObjectFacts> = fc
  .record({
    owner: fc.constantFrom('G1', 'G2', 'U1'),
    isDescribed: fc.boolean(),
    aspect: fc.constantFrom('acl' as const, 'members' as const),
    others: fc.array(fc.constantFrom('U1', 'U2', 'U3', 'G2'), { maxLength: 4 }),
    flags: fc.constantFrom(0, EdgeFlag.Inherited, EdgeFlag.Acl),
    replaces: fc.boolean(),
  })
  .map(({ owner, isDescribed, aspect, others, flags, replaces }) =>
    record(isDescribed ? [described(owner, owner.startsWith('G') ? 'Group' : 'User')] : [], [
      edgeSet(
        owner,
        aspect,
        others.map((other) => edge(`${other} -GenericAll-> ${owner}`, { flags })),
        { replaces },
      ),
    ]),
  );

/** The rule of sets, spelled out: per job unite; replace if any part replaces, else add. */
function naiveEdges(jobs: readonly (readonly ObjectFacts[])[]): string[] {
  const sets = new Map<string, Map<string, number>>();
  for (const job of jobs) {
    const said = new Map<string, { replaces: boolean; edges: Map<string, number> }>();
    for (const { edgeSets } of job) {
      for (const set of edgeSets) {
        const key = `${set.ownerId} ${set.aspect}`;
        const part = said.get(key) ?? { replaces: false, edges: new Map() };
        part.replaces ||= set.replaces;
        for (const one of set.edges) unite(part.edges, `${one.startId} ${one.endId}`, one.flags);
        said.set(key, part);
      }
    }
    for (const [key, { replaces, edges: some }] of said) {
      const known = replaces ? new Map<string, number>() : (sets.get(key) ?? new Map<string, number>());
      for (const [pair, flags] of some) unite(known, pair, flags);
      sets.set(key, known);
    }
  }
  return [...sets]
    .flatMap(([key, some]) => [...some].map(([pair, flags]) => `${key} ${pair} ${flags}`))
    .sort();
}

function unite(some: Map<string, number>, pair: string, flags: number): void {
  const known = some.get(pair);
  some.set(pair, known === undefined ? flags : ((known | flags) & ~2) | (known & flags & 2));
}

it('results in the sets of the rule, for any sequence of jobs', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(anyRecord, { maxLength: 5 }), { minLength: 1, maxLength: 4 }),
      anyBatch,
      async (jobs, objects) => {
        await emptyTables();
        for (const [day, job] of jobs.entries()) await merge(day + 1, objects, job);
        const { rows } = await database.pool.query(
          `select owner.object_id || case aspect when 1 then ' acl ' else ' members ' end || s.object_id || ' ' || e.object_id || ' ' || flag as line
         from edge_set, unnest(start_ids, end_ids, flags) as edges (start_id, end_id, flag), object_id owner, object_id s, object_id e
         where owner.id = owner_id and s.id = start_id and e.id = end_id`,
        );
        expect(rows.map((row) => row.line).sort()).toEqual(naiveEdges(jobs));
      },
    ),
    { numRuns: RUNS },
  );
});

it('counts exactly the real changes', async () => {
  const titled = fc.tuple(anyRecord, fc.constantFrom('A', 'B', null)).map(([one, title]) => ({
    ...one,
    nodes: one.nodes.map((node) => ({ ...node, properties: { title } })),
  }));
  const facts = async (): Promise<string[]> =>
    (await dumpFacts(database.pool, { times: false }))
      .split('\n')
      .filter((line) => !line.startsWith('["sighting"'));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(titled, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 5 }),
      anyBatch,
      async (jobs, objects) => {
        await emptyTables();
        // The last job repeats the result of the one before it.
        for (const [day, job] of [...jobs, jobs[jobs.length - 1]].entries()) {
          const before = await facts();
          const { changes } = await merge(day + 1, objects, job);
          expect(changes > 0).toBe(before.join() !== (await facts()).join());
        }
      },
    ),
    { numRuns: RUNS },
  );
});

it('does not depend on the order of records in a job', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyRecord, { minLength: 2, maxLength: 6 }),
      fc.array(fc.nat(), { minLength: 6, maxLength: 6 }),
      anyBatch,
      async (job, keys, objects) => {
        const dumps: string[] = [];
        const shuffled = job
          .map((one, at) => ({ one, key: keys[at] }))
          .sort((a, b) => a.key - b.key)
          .map(({ one }) => one);
        for (const order of [job, shuffled]) {
          await emptyTables();
          await merge(1, order === shuffled ? objects : undefined, order);
          dumps.push(await dumpFacts(database.pool));
        }
        expect(dumps[1]).toBe(dumps[0]);
      },
    ),
    { numRuns: RUNS },
  );
});

it('gives the same result for new and for known objects', async () => {
  const anyNode = fc
    .record({
      id: fc.constantFrom('G1', 'U1', 'U2', 'C1', 'D1-513'),
      further: fc.constantFrom('User', 'Group'),
      properties: fc.constantFrom<Properties[]>(
        {},
        { name: 'A' },
        { name: null, domainsid: 'D1' },
        { title: 'T' },
      ),
      isDescribed: fc.boolean(),
    })
    .map(({ id, further, properties, isDescribed }) =>
      record([(isDescribed ? described : mentioned)(id, further, properties)]),
    );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(anyNode, anyRecord), { minLength: 1, maxLength: 8 }),
      anyBatch,
      async (job, objects) => {
        const dumps: string[] = [];
        await emptyTables();
        for (const truncated of ['node, sighting, edge_set, sample_edge', 'object_id restart identity']) {
          await merge(1, objects, job);
          dumps.push(await dumpFacts(database.pool));
          await database.pool.query(`truncate ${truncated}`);
        }
        expect(dumps[1]).toBe(dumps[0]);
      },
    ),
    { numRuns: RUNS },
  );
});
