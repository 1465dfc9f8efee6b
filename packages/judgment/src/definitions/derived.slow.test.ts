/** Relationships derived by definitions, from one generation to the next. */
import { runStoredQueries, SELECTOR_LIMITS } from '@clew/explore';
import { emptyGeneration } from '@clew/generation';
import { emptyStore, ingestAll, installExtension, upload } from '@clew/intake/testing';
import { type BuildContext, buildContext, buildGeneration, createAnalysis } from '@clew/service/testing';
import { useTestDatabase } from '@clew/store/testing';
import { beforeEach, expect, test } from 'vitest';
import { emptyFindings } from '../../test/findings/emptyFindings.ts';

const store = useTestDatabase();
beforeEach(async () => {
  await emptyStore(store.database);
  await emptyFindings(store.database);
  await store.database.pool.query('delete from extension');
});

const pattern = (kind: string, text: string) => ({
  ...{ kind, pattern: text, start: 'a', end: 'b', reason: `By ${kind}` },
});
const KINDS = ['EX_In', 'EX_Owns', 'EX_Controls', 'EX_Far', 'EX_Same', 'EX_Once'];
const definition = (derived_relationships: readonly object[], identities: readonly object[] = []) => ({
  schema: { name: 'ex', display_name: 'Ex', version: 'v1.0.0', namespace: 'EX' },
  node_kinds: [
    { name: 'EX_A', display_name: 'A' },
    { name: 'EX_B', display_name: 'B' },
  ],
  relationship_kinds: KINDS.map((name) => ({ name, is_traversable: true })),
  ...{ derived_relationships, identities },
});
const CONTROLS = pattern(
  'EX_Controls',
  'MATCH (a)-[:EX_In]->()-[:EX_Owns]->(b) WHERE a.level IS NULL OR 10 / a.level > 1',
);
const FAR = pattern('EX_Far', 'MATCH (a)-[:EX_Controls]->()-[:EX_Controls]->(b)');

const install = (document: object) =>
  store.database.db.transaction().execute((db) => installExtension(db, document));

interface Node {
  readonly id: string;
  readonly kind?: string;
  readonly [property: string]: unknown;
}

async function load(
  nodes: readonly Node[],
  edges: readonly (readonly [string, string, string])[],
): Promise<void> {
  const graph = {
    nodes: nodes.map(({ id, kind = 'EX_A', ...properties }) => ({ id, kinds: [kind], properties })),
    edges: edges.map(([start, kind, end]) => ({ kind, start: { value: start }, end: { value: end } })),
  };
  await upload(store.database, {
    name: 'ex.json',
    content: JSON.stringify({ metadata: { source_kind: 'EXBase' }, graph }),
  });
  await ingestAll(store.database);
}

/** @returns the derived relationships, and which of them were copied from the previous build */
async function build(context: BuildContext = buildContext(store.database, () => {})) {
  await store.database.pool.query('update facts_state set version = version + 1');
  expect(await buildGeneration(context)).toBe(true);
  const edges = await store.database.pool.query(
    `select concat_ws(' ', s.object_id, kind.name, e.object_id) as edge
     from edge_set, unnest(start_ids, kind_ids, end_ids) as edges (start_id, kind_id, end_id)
     join object_id s on s.id = edges.start_id join object_id e on e.id = edges.end_id join edge_kind kind on kind.id = edges.kind_id
     where source_id = (select id from source where name = 'definitions') order by 1`,
  );
  const report = await store.database.pool.query('select report from generation order by id desc limit 1');
  const { definitions, works_on } = report.rows[0].report;
  return {
    edges: edges.rows.map(({ edge }) => edge),
    same: definitions
      .filter((one: { is_same: boolean }) => one.is_same)
      .map((one: { kind: string }) => one.kind),
    works_on,
  };
}
const errors = async () =>
  (
    await store.database.pool.query('select kind, query_error from derived_relationship order by kind')
  ).rows.map(({ kind, query_error }) => [kind, query_error]);

const NODES: Node[] = ['A1', 'A2', 'A3', 'A4', 'A5'].map((id) => ({ id }));
const EDGES = [
  ['A1', 'EX_In', 'A2'],
  ['A2', 'EX_Owns', 'A3'],
  ['A3', 'EX_In', 'A4'],
  ['A4', 'EX_Owns', 'A5'],
] as const;

test('each follows from relationships derived before it; one that fails keeps its result, until its text changes', async () => {
  await install(definition([FAR, CONTROLS]));
  await load(NODES, EDGES);
  const whole = ['A1 EX_Controls A3', 'A1 EX_Far A5', 'A3 EX_Controls A5'];
  expect((await build()).edges).toEqual(whole);
  await load([{ id: 'A1', level: 0 }, ...NODES.slice(1)], EDGES);
  expect((await build()).edges).toEqual(whole);
  expect(await errors()).toEqual([
    ['EX_Controls', expect.stringMatching(/zero/)],
    ['EX_Far', null],
  ]);
  const other = { ...CONTROLS, pattern: `${CONTROLS.pattern} OR a.x` };
  await install(definition([FAR, other]));
  expect((await build()).edges).toEqual([]);
  await load(NODES, EDGES.slice(0, 2));
  await install(definition([FAR, { ...CONTROLS, pattern: CONTROLS.pattern.replace('10', '100') }]));
  await load([{ id: 'A1', level: 7 }], []);
  expect((await build()).edges).toEqual(['A1 EX_Controls A3', 'A1 EX_Far A5', 'A3 EX_Controls A5']);
  await store.database.pool.query('delete from extension');
  expect((await build()).edges).toEqual([]);
});

test('a pattern that this version does not take stops neither a generation nor another definition', async () => {
  await install(definition([CONTROLS]));
  await load(NODES, EDGES);
  const { edges } = await build();
  expect(edges).toHaveLength(2);
  await store.database.pool.query(
    `update extension set definition = jsonb_set(definition, '{derived_relationships,0,pattern}', '"MATCH (a)-->(b)"')`,
  );
  await store.database.pool.query(
    `update derived_relationship set definition = jsonb_set(definition, '{pattern}', '"MATCH (a)-->(b)"')`,
  );
  expect((await build()).edges).toEqual(edges);
  expect(await errors()).toEqual([['EX_Controls', expect.stringContaining('needs a type')]]);
  const schema = { name: 'other', display_name: 'Other', version: 'v1.0.0', namespace: 'OT' };
  await install({ schema, node_kinds: [] });
  await install(definition([CONTROLS]));
  expect((await build()).edges).toEqual(edges);
});

test('a build of changes derives the same as a build of everything, and runs only derivations that read the changes', async () => {
  const nodes = [...NODES, ...Array.from({ length: 80 }, (_, at) => ({ id: `N${at}` }))];
  const far = Array.from({ length: 79 }, (_, at) => [`N${at}`, 'EX_Once', `N${at + 1}`] as const);
  await install(
    definition([
      CONTROLS,
      FAR,
      pattern('EX_Same', "MATCH (a)-[:EX_Once]->(b) WHERE a.name = 'N1' OR a.objectid = 'N2'"),
    ]),
  );
  await load(nodes, [...EDGES, ...far]);
  const context = buildContext(store.database, () => {});
  const first = await build(context);
  expect([first.works_on, first.same]).toEqual(['everything', []]);
  const untouched = await build(context);
  expect([untouched.works_on, untouched.same]).toEqual(['changes', ['EX_Controls', 'EX_Same', 'EX_Far']]);
  expect(untouched.edges).toEqual(first.edges);
  // Removes an edge without any change of nodes.
  await store.database.pool.query(
    `delete from sample_edge where start_id = (select id from object_id where object_id = 'A4')`,
  );
  const changed = await build(context);
  expect([changed.works_on, changed.same]).toEqual(['changes', ['EX_Same']]);
  expect(changed.edges).toEqual(['A1 EX_Controls A3', 'N2 EX_Same N3']);
  await store.database.pool.query(
    "update node set properties = properties || '{\"level\": 20}' where name is null and id = (select id from object_id where object_id = 'A1')",
  );
  const property = await build(context);
  expect([property.works_on, property.same]).toEqual(['changes', []]);
  expect(property.edges).toEqual(['N2 EX_Same N3']);
  expect((await build()).edges).toEqual(property.edges);
});

test('nodes that are the same are joined, and values of several are reported', async () => {
  const identity = {
    ...{ kind: 'EX_Same', matcher: 'email' },
    ...{ start: { kind: 'EX_A' }, end: { kind: 'EX_B', property: 'Mail' } },
  };
  await install(definition([], [identity]));
  await load(
    [
      { id: 'A1', email: 'Ann@x.example' },
      { id: 'A2', email: 'bob@x.example' },
      { id: 'B1', kind: 'EX_B', mail: ['other@x.example', 'smtp:ann@X.example'] },
      { id: 'B2', kind: 'EX_B', mail: 'bob@x.example' },
      { id: 'B3', kind: 'EX_B', mail: 'BOB@x.example' },
    ],
    [],
  );
  expect((await build()).edges).toEqual(['A1 EX_Same B1']);
  const { rows } = await store.database.pool.query(
    'select ambiguous_count, ambiguous from derived_relationship',
  );
  expect(rows).toEqual([{ ambiguous_count: 1, ambiguous: [{ start: ['A2'], end: ['B2', 'B3'] }] }]);
});

test('results of one text do not apply to another that was installed while it ran', async () => {
  await install(definition([CONTROLS]));
  await load(NODES, EDGES);
  await store.database.pool.query(
    `update derived_relationship set definition = definition || '{"pattern": "another"}'`,
  );
  expect((await build()).edges).toHaveLength(2);
  const { rows } = await store.database.pool.query(
    'select ran_at, found_at, edge_count from derived_relationship',
  );
  expect(rows).toEqual([{ ran_at: null, found_at: null, edge_count: 0 }]);
});

test('a definition that is removed and installed again between two generations reports how it ran', async () => {
  await install(definition([CONTROLS]));
  await load(NODES, EDGES);
  const context = buildContext(store.database, () => {});
  const { edges } = await build(context);
  await store.database.pool.query('delete from extension');
  await install(definition([CONTROLS]));
  expect((await build(context)).edges).toEqual(edges);
  const { rows } = await store.database.pool.query(
    'select found_at is not null as is_found, edge_count from derived_relationship',
  );
  expect(rows).toEqual([{ is_found: true, edge_count: 2 }]);
});

test('relationships that something else deleted are written again, also where nothing changed', async () => {
  await install(definition([CONTROLS]));
  await load(NODES, EDGES);
  const context = buildContext(store.database, () => {});
  const { edges } = await build(context);
  await store.database.pool.query(
    "delete from edge_set where source_id = (select id from source where name = 'definitions')",
  );
  const again = await build(context);
  expect([again.works_on, again.same, again.edges]).toEqual(['changes', ['EX_Controls'], edges]);
});

test('a pattern that does not end is stopped, keeps its result with its date, and the others run', async () => {
  const among = 'MATCH (a)-[:EX_In]->()-[:EX_Owns]->(b), (c:EX_B), (d:EX_B), (e:EX_B), (f:EX_B)';
  const slow = pattern('EX_Far', `${among} WHERE c.rank + d.rank + e.rank + f.rank = 4`);
  await install(definition([slow, CONTROLS]));
  await load([...NODES, { id: 'B', kind: 'EX_B', rank: 1 }], EDGES);
  const { edges } = await build();
  expect(edges).toContain('A1 EX_Far A3');
  const dates = async () =>
    (
      await store.database.pool.query(
        `select kind, found_at, ran_at, ran_at > found_at as is_old, query_error from derived_relationship order by kind`,
      )
    ).rows;
  const [, before] = await dates();
  // Nothing matches any more: a search that finds its match first would end in time.
  await load(
    [
      { id: 'B', kind: 'EX_B', rank: 0 },
      ...Array.from({ length: 400 }, (_, at) => ({ id: `B${at}`, kind: 'EX_B', rank: 0 })),
    ],
    [],
  );
  const selectors = {
    times: { selectorMs: 500, allMs: 60_000 },
    limits: { ...SELECTOR_LIMITS, results: 1_000_000, steps: 1e12, rows: 1e12 },
  };
  const analysis = createAnalysis({ mode: 'clean', selectors });
  expect((await build({ ...buildContext(store.database, () => {}), analysis })).edges).toEqual(edges);
  expect(await dates()).toMatchObject([
    { kind: 'EX_Controls', is_old: false, query_error: null },
    { kind: 'EX_Far', found_at: before.found_at, is_old: true, query_error: 'it takes more than 0.5 s' },
  ]);
});

test('a pattern for which others left too little time is tried again', async () => {
  const { graph, customNodeKinds, customEdgeKinds } = emptyGeneration();
  const long = 'UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN count(*)';
  const ran = await runStoredQueries(
    { graph, customNodeKinds, customEdgeKinds, zones: [] },
    [{ selectorId: 1, queries: [long] }],
    {
      ...{
        connection: store.database.connection,
        signal: new AbortController().signal,
        ends: Date.now() + 200,
      },
      bounds: { limits: { ...SELECTOR_LIMITS, steps: 1e12, rows: 1e12 } },
    },
    { plural: 'patterns', selects: false, take: () => ({}) },
  );
  expect(ran.get(1)).toEqual({ error: 'it takes more than 0.2 s', milliseconds: expect.any(Number) });
});
