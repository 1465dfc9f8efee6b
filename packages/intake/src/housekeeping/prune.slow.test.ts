import { keepHouse } from '@clew/service/testing';
import { useTestDatabase } from '@clew/store/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { emptyStore } from '../../test/ingest/emptyStore.ts';
import { described, edgeSet, record } from '../../test/ingest/facts.ts';
import { mergeFiles, type TestFile } from '../../test/ingest/mergeHarness.ts';
import { pruneStale } from './prune.ts';

const LIMITS = { objectDays: 7, sessionDays: 3, auditDays: 365, jobDays: 90, differenceDays: 90 };

const store = useTestDatabase();
beforeEach(async () => {
  await emptyStore(store.database);
  await store.database.pool.query('delete from prune_record; delete from setting');
});

/** @param age days since the file was made */
async function reported(age: number, ...files: TestFile[]): Promise<void> {
  await mergeFiles(store.database, new Date(Date.now() - age * 86_400_000).toISOString(), ...files);
}
const byHand = (...records: TestFile['records']): TestFile => ({ records });
const bySchedule = (...records: TestFile['records']): TestFile => ({ records, bySchedule: true });

async function prune(limits: Pick<typeof LIMITS, 'objectDays' | 'sessionDays'> = LIMITS): Promise<number> {
  return store.database.db.transaction().execute((transaction) => pruneStale(transaction, limits));
}

async function nodes(): Promise<string[]> {
  const { rows } = await store.database.pool.query('select object_id from node join object_id using (id)');
  return rows.map(({ object_id }) => object_id).sort();
}

async function edges(): Promise<string[]> {
  const { rows } = await store.database.pool.query('select start_id, kind, end_id from edge');
  return rows.map(({ start_id, kind, end_id }) => `${start_id} -${kind}-> ${end_id}`).sort();
}

async function records(): Promise<string[]> {
  const { rows } = await store.database.pool.query(
    'select name, what, kind, count from prune_record join source on source.id = source_id',
  );
  return rows.map(({ name, what, kind, count }) => `${name} ${what} ${kind} ${count}`).sort();
}

const user = (id: string) => record([described(id, 'User')]);
const group = (id: string, ...members: string[]) =>
  record(
    [described(id, 'Group')],
    [
      edgeSet(
        id,
        'members',
        members.map((member) => `${member} -MemberOf-> ${id}`),
      ),
    ],
  );

describe('pruning', () => {
  test('removes objects that a schedule has not seen for longer than the limit, and records them', async () => {
    await reported(8, bySchedule(user('U1'), group('G1', 'U1', 'U2')));
    await reported(6, bySchedule(user('U3')));
    expect(await prune()).toBe(5);
    expect(await nodes()).toEqual(['U3']);
    expect(await edges()).toEqual([]);
    expect(await records()).toEqual([
      'sharphound edge MemberOf 2',
      'sharphound node Base 3',
      'sharphound node Group 1',
      'sharphound node User 2',
    ]);
    expect(await prune()).toBe(0);
  });

  test('keeps manual uploads of any age', async () => {
    await reported(400, byHand(user('U1'), group('G1', 'U1')));
    expect(await prune()).toBe(0);
    expect(await edges()).toEqual(['U1 -MemberOf-> G1']);
  });

  test('keeps everything if it is disabled', async () => {
    await reported(400, bySchedule(user('U1')));
    expect(await prune({ objectDays: 0, sessionDays: 0 })).toBe(0);
    expect(await nodes()).toEqual(['U1']);
  });

  test('uses the latest description', async () => {
    await reported(30, byHand(user('U1')), byHand(user('U2')));
    await reported(20, bySchedule(user('U1')));
    await reported(19, bySchedule(user('U3')));
    await reported(18, byHand(user('U3')));
    await prune();
    expect(await nodes()).toEqual(['U2', 'U3']);
  });

  test('keeps a node that another source still sees, without facts that only the first source reported', async () => {
    await reported(20, bySchedule(group('G1', 'U1')));
    await reported(1, { source: 'opengraph:Hub', bySchedule: true, records: [user('U1')] });
    await prune();
    expect(await nodes()).toEqual(['U1']);
    expect(await edges()).toEqual([]);
    expect(await records()).toEqual([
      'sharphound edge MemberOf 1',
      'sharphound node Base 1',
      'sharphound node Group 1',
    ]);
  });

  test('keeps an unchanged set that a schedule enumerates again', async () => {
    await reported(20, bySchedule(group('G1', 'U1')));
    await reported(1, bySchedule(group('G1', 'U1')));
    expect(await prune()).toBe(0);
    expect(await edges()).toEqual(['U1 -MemberOf-> G1']);
  });

  test('removes an aspect that is left out while its owner is seen, unless it was uploaded manually', async () => {
    const computer = (...sets: Parameters<typeof edgeSet>[]) =>
      record(
        [described('C1', 'Computer')],
        sets.map((set) => edgeSet(...set)),
      );
    const admins = ['C1', 'local-groups', ['G1 -MemberOfLocalGroup-> C1']] as const;
    await reported(20, bySchedule(computer([...admins])));
    await reported(1, bySchedule(computer()));
    await prune();
    expect(await nodes()).toEqual(['C1']);
    await reported(20, byHand(computer([...admins])));
    expect(await prune()).toBe(0);
    expect(await edges()).toEqual(['G1 -MemberOfLocalGroup-> C1']);
  });

  test('keeps nodes that a remaining edge names, and nodes that their edges name in turn', async () => {
    await reported(30, byHand(group('G1', 'G2'), group('G2', 'U1')));
    await reported(20, bySchedule(user('U1'), record([described('G2', 'Group')])));
    await prune();
    expect(await nodes()).toEqual(['G1', 'G2', 'U1']);
    expect(await edges()).toEqual(['G2 -MemberOf-> G1', 'U1 -MemberOf-> G2']);
  });

  test('removes sessions sooner than other samples', async () => {
    const session = edgeSet('C1', 'sessions', ['C1 -HasSession-> U1'], { replaces: false });
    const other = edgeSet('C1', 'opengraph', ['C1 -Knows-> U1'], { replaces: false });
    const computer = described('C1', 'Computer');
    await reported(4, bySchedule(record([computer], [session, other])));
    await reported(1, bySchedule(record([computer]), user('U1')));
    expect(await prune()).toBe(1);
    expect(await edges()).toEqual(['C1 -Knows-> U1']);
    expect(await records()).toEqual(['sharphound edge HasSession 1']);
    await reported(
      90,
      byHand(
        record(
          [described('C2', 'Computer')],
          [edgeSet('C2', 'sessions', ['C2 -HasSession-> U1'], { replaces: false })],
        ),
      ),
    );
    expect(await prune()).toBe(0);
  });
});

test('housekeeping prunes once an hour, and asks for a new generation', async () => {
  const version = async () =>
    (await store.database.pool.query('select version from facts_state')).rows[0].version;
  const before = await version();
  await keepHouse(store.database, LIMITS);
  expect(await version()).toBe(before);
  await reported(8, bySchedule(user('U1')));
  const merged = await version();
  await keepHouse(store.database, LIMITS);
  expect(await nodes()).toEqual(['U1']);
  await store.database.pool.query("update setting set value = to_jsonb(now() - interval '61 minutes')");
  await Promise.all([keepHouse(store.database, LIMITS), keepHouse(store.database, LIMITS)]);
  expect(await nodes()).toEqual([]);
  expect(await version()).toBe(merged + 1);
});

test('the audit log is kept for a year', async () => {
  const { pool } = store.database;
  await pool.query('delete from audit_log');
  await pool.query(
    `insert into audit_log (created_at, actor_name, action, fields, source_ip_address, status, commit_id)
     select now() - make_interval(days => age), '', 'LoginAttempt', '{}', '', 'failure', gen_random_uuid()
     from unnest(array[1, 364, 366, 1000]) age`,
  );
  await keepHouse(store.database, LIMITS);
  expect((await pool.query('select from audit_log')).rowCount).toBe(2);
});

test('differences of generations are kept for 90 days', async () => {
  const { pool } = store.database;
  await pool.query(
    `with made as (
       insert into generation (facts_version, published_at, node_count, edge_count, report)
       select 1, now() - make_interval(days => age), 0, 0, '{}' from unnest(array[1, 89, 91, 200]) age returning id
     )
     insert into generation_difference (generation_id, exposure, settings, instant)
     select id, '[]', '', now() from made`,
  );
  await keepHouse(store.database, { ...LIMITS, differenceDays: 0 });
  expect((await pool.query('select from generation_difference')).rowCount).toBe(4);
  await pool.query('delete from setting');
  await keepHouse(store.database, LIMITS);
  expect((await pool.query('select from generation_difference')).rowCount).toBe(2);
});
