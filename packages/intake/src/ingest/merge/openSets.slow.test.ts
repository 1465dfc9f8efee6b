/** Files that do not say what their run collected: their empty lists, and large falls. */
import { Aspect, type ObjectFacts } from '@clew/model';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { emptyStore } from '../../../test/ingest/emptyStore.ts';
import { described, edgeSet, record } from '../../../test/ingest/facts.ts';
import { dayTime, mergeUnknown, type TestMerge } from '../../../test/ingest/mergeHarness.ts';

let database: Database;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyStore(database));

/** An object with the entries of its access list; empty where they are not a statement by themselves. */
function listed(id: string, entries: readonly string[], isOpen = true): ObjectFacts {
  const set = edgeSet(id, 'acl', entries);
  return record(
    [described(id, 'User', { domainsid: 'D-1' })],
    [entries.length === 0 && isOpen ? { ...set, isOpen: true } : set],
  );
}

const merge = (day: number, records: readonly ObjectFacts[], namesMethods = false): Promise<TestMerge> =>
  mergeUnknown(database, dayTime(day), { records, namesMethods });

async function edges(): Promise<string[]> {
  const { rows } = await database.pool.query('select start_id, kind, end_id from edge');
  return rows.map((row) => `${row.start_id} -${row.kind}-> ${row.end_id}`).sort();
}

it('keeps the entries of an empty list if no list of the job has entries', async () => {
  await merge(1, [listed('U1', ['G1 -GenericAll-> U1']), listed('U2', ['G1 -GenericAll-> U2'])]);
  const { changes } = await merge(2, [listed('U1', []), listed('U2', [])]);
  expect(changes).toBe(0);
  expect(await edges()).toEqual(['G1 -GenericAll-> U1', 'G1 -GenericAll-> U2']);
});

it('removes them if another list of the job has entries, before or after it', async () => {
  for (const [day, order] of [[1, ['U1', 'U2']] as const, [11, ['U2', 'U1']] as const]) {
    await merge(day, [listed('U1', ['G1 -GenericAll-> U1']), listed('U2', ['G1 -GenericAll-> U2'])]);
    await merge(
      day + 1,
      order.map((id) => (id === 'U1' ? listed('U1', []) : listed('U2', ['G2 -GenericAll-> U2']))),
    );
    expect(await edges()).toEqual(['G2 -GenericAll-> U2']);
  }
});

it('notes when an empty list was enumerated, and only if it counts', async () => {
  const acl = async (id: string): Promise<boolean> => {
    const { rows } = await database.pool.query(
      'select aspects >> $2 & 1 = 1 as acl from sighting join object_id on id = node_id where object_id = $1',
      [id, Aspect.acl],
    );
    return rows[0].acl;
  };
  await merge(1, [listed('U1', ['G1 -GenericAll-> U1']), listed('U2', ['G1 -GenericAll-> U2'])]);
  await merge(2, [listed('U1', [])]);
  expect(await acl('U1')).toBe(false);
  await merge(3, [listed('U1', []), listed('U2', ['G2 -GenericAll-> U2'])]);
  expect([await acl('U1'), await acl('U2')]).toEqual([true, true]);
});

it('counts the entries of records that are known', async () => {
  await merge(1, [listed('U1', ['G1 -GenericAll-> U1']), listed('U2', ['G1 -GenericAll-> U2'])]);
  const { passed } = await merge(2, [listed('U1', []), listed('U2', ['G1 -GenericAll-> U2'])]);
  expect(passed).toBe(1);
  expect(await edges()).toEqual(['G1 -GenericAll-> U2']);
});

it('reads a record again that did not count the first time', async () => {
  await merge(1, [listed('U1', ['G1 -GenericAll-> U1']), listed('U2', ['G1 -GenericAll-> U2'])]);
  await merge(2, [listed('U1', [])]);
  // In this run others have entries, so the same bytes are a statement.
  await merge(3, [listed('U1', []), listed('U2', ['G1 -GenericAll-> U2'])]);
  expect(await edges()).toEqual(['G1 -GenericAll-> U2']);
});

it('still skips a record that left nothing unchanged', async () => {
  await merge(1, [listed('U1', []), listed('U2', ['G1 -GenericAll-> U2'])]);
  const { passed } = await merge(2, [listed('U1', []), listed('U2', ['G1 -GenericAll-> U2'])]);
  expect(passed).toBe(2);
});

it('accepts an empty list if the file states what its run collected', async () => {
  await merge(1, [listed('U1', ['G1 -GenericAll-> U1'])]);
  await merge(2, [listed('U1', [], false)], true);
  expect(await edges()).toEqual([]);
});

const many = (count: number, entries: (id: string) => readonly string[]): ObjectFacts[] =>
  Array.from({ length: count }, (_, at) => listed(`U${at}`, entries(`U${at}`), false));

it.each([
  [100, 21, 1],
  [100, 20, 0],
  [30, 19, 0],
  [20, 20, 1],
])('of %i relationships, %i removed ones cause %i large falls', async (count, removed, falls) => {
  await merge(
    1,
    many(count, (id) => [`G1 -GenericAll-> ${id}`]),
  );
  const gone = new Set(Array.from({ length: removed }, (_, at) => `U${at}`));
  const found = await merge(
    2,
    many(count, (id) => (gone.has(id) ? [] : [`G1 -GenericAll-> ${id}`])),
    true,
  );
  expect(found.falls).toHaveLength(falls);
  if (falls > 0)
    expect(found.falls).toMatchObject([{ environment: 'D-1', removed, before: count, namesMethods: true }]);
});

it('does not count replacements, and names whose files caused a fall', async () => {
  await merge(
    1,
    many(40, (id) => [`G1 -GenericAll-> ${id}`, `G1 -WriteDacl-> ${id}`]),
  );
  const swapped = await merge(
    2,
    many(40, (id) => [`G2 -GenericAll-> ${id}`, `G1 -WriteDacl-> ${id}`]),
    true,
  );
  expect(swapped.falls).toEqual([]);
  const shorter = await merge(
    3,
    many(40, (id) => [`G2 -GenericAll-> ${id}`]),
  );
  expect(shorter.falls).toMatchObject([{ removed: 40, before: 40, namesMethods: false }]);
});
