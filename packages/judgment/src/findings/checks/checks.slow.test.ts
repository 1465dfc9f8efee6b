/** The life of check findings, from one generation to the next. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCheck } from '@clew/intake';
import { buildContext, buildGeneration, FindingHarness } from '@clew/service/testing';
import { fileText, generateForest } from '@clew/synthetic';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { testActor } from '../../../test/findings/actor.ts';
import { ANN, BOB, DOMAIN, forest } from '../../../test/findings/forest.ts';
import { acceptFinding } from '../acceptance.ts';
import { checkEvidence } from './checkEvidence.ts';
import { publishChecks } from './runChecks.ts';
import { readChecks, removeCheck, storeCheck } from './storedChecks.ts';

let harness: FindingHarness;
beforeAll(async () => {
  harness = await FindingHarness.start();
});
afterAll(() => harness.close());
beforeEach(() => harness.empty());

const ACTOR = testActor('author');
const NAME = 'Check_ServiceNames';
const SERVICES = {
  name: NAME,
  title: 'Accounts with service names',
  severity: 'high',
  cypher:
    "MATCH (u:User) WHERE u.hasspn = true RETURN CASE WHEN u.name STARTS WITH 'X' THEN u.name ELSE u END AS account, u.name AS name",
  techniques: ['T1558.003'],
};

async function store(document: object): Promise<void> {
  const check = await readCheck(document);
  if ('faults' in check) throw new Error(check.faults.texts().join());
  await harness.database.db.transaction().execute((db) => storeCheck(db, ACTOR, check));
}
const check = async () => (await readChecks(harness.database.db, null, NAME))[0];
const found = async () =>
  (await harness.ofType(NAME)).map(({ id, target_id, status, severity }) => [
    id,
    target_id,
    status,
    severity,
  ]);

test('results of a check are findings like any other, and stay with their date while the check fails', async () => {
  await store(SERVICES);
  await harness.build(...forest());
  const [one, ...more] = await harness.ofType(NAME);
  expect(more).toEqual([]);
  expect(one).toMatchObject({ environment_id: DOMAIN, tag_id: 0, kind: 'list', target_id: ANN, severity: 2 });
  expect([one.status, one.rated_row]).toEqual(['active', 'check-fixed']);
  const first = await check();
  expect(first).toMatchObject({ finding_count: 1, query_error: null, found_columns: ['name'] });
  const { rows } = await harness.database.pool.query(
    'select node.id from node join object_id using (id) where object_id = $1',
    [ANN],
  );
  expect(await checkEvidence(harness.database.db, NAME, rows[0].id)).toEqual([
    { column: 'name', value: 'ANN@CORP.LOCAL' },
  ]);
  await acceptFinding(harness.database.db, ACTOR, {
    ...{ id: one.id, accepted: true, visible: null, reason: 'known' },
  });

  await harness.build(...forest({ annName: 'XAVER@CORP.LOCAL' }));
  expect(await found()).toEqual([[one.id, ANN, 'accepted', 2]]);
  const failed = await check();
  expect(failed.query_error).toBe(
    'its first column, account, must contain the object; row 1 contains a text',
  );
  expect(failed.found_at).toBe(first.found_at);
  expect((failed.ran_at ?? '') > (first.ran_at ?? '')).toBe(true);

  await harness.build(...forest());
  expect((await check()).query_error).toBeNull();
  expect(await found()).toEqual([[one.id, ANN, 'accepted', 2]]);
});

test('findings end as deprecated when their check is edited or removed, and exposure rates where it is to', async () => {
  await store(SERVICES);
  const query = "MATCH (u:User {name: 'BOB@CORP.LOCAL'}) RETURN u";
  await store({ ...SERVICES, name: 'Check_Bob', severity: 'exposure', cypher: query });
  await harness.build(...forest());
  const [bob] = await harness.ofType('Check_Bob');
  expect(bob).toMatchObject({ target_id: BOB, rated_row: 'check', status: 'active' });
  expect(bob.exposure_count).toBeGreaterThan(0);
  await store({ ...SERVICES, cypher: 'MATCH (u:User) WHERE u.hasspn = false RETURN u' });
  await harness.database.db.transaction().execute((db) => removeCheck(db, 'Check_Bob'));
  await harness.build();
  expect(await found()).toContainEqual([expect.any(Number), ANN, 'deprecated', 2]);
  expect(await found()).toContainEqual([expect.any(Number), BOB, 'active', 2]);
  expect((await harness.ofType('Check_Bob')).map(({ status }) => status)).toEqual(['deprecated']);
  expect((await readChecks(harness.database.db, null)).map(({ name }) => name)).toEqual([NAME]);
});

test('characters that no text of the database may have, and values that nest without end, stop no generation', async () => {
  const named = { ...SERVICES, techniques: [] };
  const query = (returned: string) => `MATCH (u:User {name: 'ANN@CORP.LOCAL'}) RETURN ${returned}`;
  const nested = 'reduce(list = [], step IN range(1, 20000) | [list])';
  const queries = [
    ['Check_Nul', query("u, 'a\\u0000b' AS nul, ['\\ud800'] AS half, {key: '\\u0000'} AS map")],
    ['Check_Pattern', query("CASE WHEN u.name =~ '(\\u0000\\ud800' THEN u END AS u")],
    ['Check_Nested', query(`u, ${nested} AS nested`)],
    [NAME, SERVICES.cypher],
  ];
  for (const [name, cypher] of queries) await store({ ...named, name, cypher });
  await harness.database.pool.query(
    `insert into asset_group_tag_selector (asset_group_tag_id, name, description, auto_certify, created_by, updated_by)
     values (1, 'pattern', '', 0, 'test', 'test')`,
  );
  await harness.database.pool.query(
    `insert into asset_group_tag_selector_seed (selector_id, type, value)
     select id, 2, $1 from asset_group_tag_selector where name = 'pattern'`,
    [query("CASE WHEN u.name =~ '(\\u0000\\ud800' THEN u END AS u")],
  );
  await harness.build(...forest());
  expect(await found()).toEqual([[expect.any(Number), ANN, 'active', 2]]);
  const errors = Object.fromEntries(
    (await readChecks(harness.database.db, null)).map(({ name, query_error }) => [name, query_error]),
  );
  expect(errors).toMatchObject({ Check_Nul: null, [NAME]: null });
  expect(errors.Check_Pattern).toContain('\ufffd');
  expect(errors.Check_Nested).toMatch(/nested/);
  const { rows } = await harness.database.pool.query(
    `select evidence, selector.query_error from custom_check join custom_check_offender on check_id = custom_check.id,
       lateral (select query_error from asset_group_tag_selector where name = 'pattern') selector
     where custom_check.name = 'Check_Nul'`,
  );
  expect(rows).toEqual([
    {
      evidence: [['a\ufffdb', ['\ufffd'], { key: '\ufffd' }]],
      query_error: expect.stringContaining('\ufffd'),
    },
  ]);
  await harness.database.pool.query("delete from asset_group_tag_selector where name = 'pattern'");
});

test('results of a query do not apply to another text, and deleted objects are not found', async () => {
  const { database } = harness;
  const checkId = async (): Promise<number> => (await check()).id;
  const offenders = async () =>
    (await database.pool.query('select check_id, node_id from custom_check_offender')).rows;
  await store(SERVICES);
  const generation = await harness.build(...forest());
  const before = await offenders();
  expect(before).toHaveLength(1);
  const publish = async (cypher: string, node = 0): Promise<void> => {
    const client = await database.pool.connect();
    try {
      const found = { columns: [], offenders: new Map([[node, [[]]]]), warnings: [] };
      const ran = [{ id: await checkId(), name: NAME, cypher, ran: found }];
      await publishChecks(client, generation.graph, ran, new Date().toISOString());
    } finally {
      client.release();
    }
  };
  const other = before[0].node_id === generation.graph.storeIds[0] ? 1 : 0;
  await publish('MATCH (n) RETURN n', other);
  expect(await offenders()).toEqual(before);
  await publish(SERVICES.cypher, other);
  const after = [{ check_id: before[0].check_id, node_id: generation.graph.storeIds[other] }];
  expect(await offenders()).toEqual(after);
  await database.pool.query('delete from node where id = $1', [after[0].node_id]);
  await publish('MATCH (n) RETURN n', other);
  expect(await offenders()).toEqual([]);
});

test('a generation that is published and an edit of a check do not wait for each other', async () => {
  const { database } = harness;
  await store(SERVICES);
  const { graph } = await harness.build(...forest());
  await database.pool.query(
    `insert into custom_check_offender (check_id, node_id, evidence) select id, 2147483647, '[]' from custom_check`,
  );
  const [generation, edit] = [await database.pool.connect(), await database.pool.connect()];
  try {
    await edit.query('begin');
    await edit.query('select from custom_check for update');
    await generation.query('begin');
    const found = { columns: [], offenders: new Map(), warnings: [] };
    const ran = [{ id: (await check()).id, name: NAME, cypher: SERVICES.cypher, ran: found }];
    const published = publishChecks(generation, graph, ran, new Date().toISOString());
    await vi.waitUntil(
      async () => (await database.pool.query('select from pg_locks where not granted')).rows.length > 0,
      { timeout: 100_000, interval: 20 },
    );
    await edit.query('delete from custom_check_offender');
    await edit.query('commit');
    await published;
  } finally {
    await edit.query('rollback');
    await generation.query('rollback');
    edit.release();
    generation.release();
  }
});

test('each of the examples runs on a synthetic forest, and most of them find something', async () => {
  const directory = join(import.meta.dirname, '../../../../../examples/checks');
  const files = readdirSync(directory);
  expect(files).toHaveLength(10);
  for (const file of files) await store(JSON.parse(readFileSync(join(directory, file), 'utf8')));
  const forest = generateForest({ users: 60, seed: 5 }).files;
  await harness.build(...forest.map((file) => ({ name: file.name, content: [...fileText(file)].join('') })));
  const stored = await readChecks(harness.database.db, null);
  expect(stored.map(({ name, query_error }) => [name, query_error])).toEqual(
    stored.map(({ name }) => [name, null]),
  );
  expect(stored.filter(({ finding_count }) => finding_count > 0).length).toBeGreaterThanOrEqual(7);
}, 120_000);

test('which add to the graph, keep a generation from being announced before its findings are known', async () => {
  await harness.build(...forest());
  const announced: string[] = [];
  const build = async (): Promise<void> => {
    await harness.database.pool.query('update facts_state set version = version + 1');
    await buildGeneration({
      ...buildContext(harness.database, () => {}),
      announceGraph: () => announced.push('graph'),
      announce: ({ graph }, facts) => {
        const offenders = graph.declared.checks.flatMap((check) => [...(check.offenders ?? [])]);
        announced.push(`${facts === undefined ? 'without' : 'with'} facts, ${offenders.length} offenders`);
      },
    });
  };
  await build();
  await store(SERVICES);
  await build();
  expect(announced).toEqual(['graph', 'without facts, 0 offenders', 'with facts, 1 offenders']);
});
