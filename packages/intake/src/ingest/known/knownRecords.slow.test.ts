/** Passing over known records gives the same facts as reading them. */
import { EdgeFlag, type ObjectFacts } from '@clew/model';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dumpFacts } from '../../../test/ingest/dumpFacts.ts';
import { emptyStore } from '../../../test/ingest/emptyStore.ts';
import { described, edge, edgeSet, mentioned, record } from '../../../test/ingest/facts.ts';
import { mergeFiles, mergeUnknown, type TestFile } from '../../../test/ingest/mergeHarness.ts';
import { pruneStale } from '../../housekeeping/prune.ts';

let passing: Database;
let reading: Database;

beforeAll(async () => {
  [passing, reading] = await Promise.all([startTestDatabase(), startTestDatabase()]);
});
afterAll(() => Promise.all([passing.close(), reading.close()]));

const RUNS = 3 * Number(process.env.CLEW_TEST_RUNS ?? 1);

const ids = fc.constantFrom('U1', 'U2', 'U3', 'U4', 'G1', 'G2', 'G3', 'C1', 'C2', 'L1', 'L2');
const properties = fc.dictionary(
  fc.constantFrom('name', 'title', 'mail'),
  fc.oneof(fc.constantFrom('a', 'b'), fc.constant(null)),
  { maxKeys: 2 },
);
const kinds = fc.constantFrom('User', 'Group', 'Computer', 'ADLocalGroup');

const nodeOf = fc
  .tuple(ids, kinds, properties, fc.integer({ min: 0, max: 3 }))
  .map(([id, kind, some, chance]) => (chance > 0 ? described(id, kind, some) : mentioned(id, kind, some)));

const setOf = fc
  .record({
    owner: ids,
    aspect: fc.constantFrom('acl' as const, 'members' as const, 'sessions' as const, 'local-groups' as const),
    others: fc.array(ids, { maxLength: 3 }),
    flags: fc.constantFrom(0, EdgeFlag.Inherited, EdgeFlag.Acl),
    replaces: fc.boolean(),
    reported: fc.constantFrom(undefined, undefined, undefined, { logontype: 2 }),
  })
  .map(({ owner, aspect, others, flags, replaces, reported }) =>
    edgeSet(
      owner,
      aspect,
      others.map((other) => edge(`${other} -GenericAll-> ${owner}`, { flags, properties: reported })),
      { replaces },
    ),
  );

/** A matched edge, now and then: such a record is always read. */
const matchedSet = fc.tuple(ids, fc.constantFrom('a', 'b')).map(([owner, name]) =>
  edgeSet(owner, 'members', [], {
    matchedEdges: [
      {
        start: { matchers: [{ key: 'name', value: name }] },
        startKind: 'User',
        kind: 'MemberOf',
        end: owner,
        endKind: 'Group',
        flags: 0,
        createMissing: true,
      },
    ],
  }),
);

/** Mostly one object with sets of its own, as collectors have it; few are about the same. */
const anyRecord: fc.Arbitrary<ObjectFacts> = fc
  .record({
    node: nodeOf,
    more: fc.array(nodeOf, { maxLength: 1 }),
    own: fc.array(setOf, { maxLength: 3 }),
    others: fc.array(setOf, { maxLength: 1 }),
    matched: fc.array(matchedSet, { maxLength: 1 }),
    chance: fc.integer({ min: 0, max: 19 }),
    deleted: ids,
  })
  .map(({ node, more, own, others, matched, chance, deleted }) =>
    record(
      chance < 4 ? [node, ...more] : [node],
      [
        ...own.map((set) => ({ ...set, ownerId: node.objectId })),
        ...(chance % 2 === 0 ? others : []),
        ...(chance === 5 ? matched : []),
      ],
      chance === 6 ? { deletedIds: [deleted] } : {},
    ),
  );

/** Which records come in each job, in which source, whether by schedule; and whether things age afterward. */
const story = fc.record({
  records: fc.array(anyRecord, { minLength: 3, maxLength: 8 }),
  jobs: fc.array(
    fc.record({
      files: fc.array(
        fc.record({
          source: fc.constantFrom('sharphound', 'sharphound', 'azurehound'),
          // Most records come again, in most jobs.
          leftOut: fc.array(fc.nat({ max: 7 }), { maxLength: 5 }),
        }),
        { minLength: 1, maxLength: 2 },
      ),
      bySchedule: fc.boolean(),
      ages: fc.integer({ min: 0, max: 4 }).map((chance) => chance === 0),
    }),
    { minLength: 2, maxLength: 6 },
  ),
});

/** Times of sightings must also be the same. */
async function allOf({ pool }: Database): Promise<string> {
  const { rows } = await pool.query(
    `select object_id, source.name, last_seen, seen_by_schedule, collected_by_schedule from sighting
     join object_id on object_id.id = node_id join source on source.id = source_id order by 1, 2`,
  );
  const sets = await pool.query(
    `select object_id, aspect, source.name, by_schedule from edge_set
     join object_id on object_id.id = owner_id join source on source.id = source_id order by 1, 2, 3`,
  );
  return [await dumpFacts(pool), ...[...rows, ...sets.rows].map((row) => JSON.stringify(row))].join('\n');
}

it('gives the same facts as reading all records again', async () => {
  let passed = 0;
  let begunAgain = 0;
  await fc.assert(
    fc.asyncProperty(story, async ({ records, jobs }) => {
      await Promise.all([emptyStore(passing), emptyStore(reading)]);
      const numbers = 'truncate object_id restart identity';
      await Promise.all([passing.pool.query(numbers), reading.pool.query(numbers)]);
      // Days before now, so that things can age.
      const first = Date.now() - 40 * 86_400_000;
      for (const [day, { files, bySchedule, ages }] of jobs.entries()) {
        const observedAt = new Date(first + day * 6 * 86_400_000).toISOString();
        const wanted: TestFile[] = files.map(({ source, leftOut }) => ({
          source,
          bySchedule,
          records: records.filter((_, at) => !leftOut.includes(at)),
        }));
        // Another file of the same job is that of another half.
        const job = wanted.length === 1 ? wanted : [half(wanted[0], 0), half(wanted[1], 1)];
        const [merge] = await Promise.all([
          mergeUnknown(passing, observedAt, ...job),
          mergeFiles(reading, observedAt, ...job),
        ]);
        passed += merge.passed;
        if (merge.isSecond) begunAgain++;
        if (ages)
          for (const { db } of [passing, reading])
            await db.transaction().execute((tx) => pruneStale(tx, { objectDays: 20, sessionDays: 20 }));
        expect(await allOf(passing)).toBe(await allOf(reading));
      }
    }),
    { numRuns: RUNS },
  );
  expect(passed).toBeGreaterThan(0);
  expect(begunAgain).toBeGreaterThan(0);
}, 300_000);

function half(file: TestFile, remainder: number): TestFile {
  return { ...file, records: file.records.filter((_, at) => at % 2 === remainder) };
}
