/** OpenGraph data on the whole way: upload, ingest, generation, export. */
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { jsonStream } from '@clew/common';
import type { Generation } from '@clew/generation';
import { type AttackGraph, edgeKindOf, endOf, findNamedNode, nameOf, objectIdOf, startOf } from '@clew/graph';
import { EdgeFlag } from '@clew/model';
import { edgeKindName, kindNamesOf, queryDataOf } from '@clew/queries';
import { buildContext, buildGeneration, exportPieces, parseEdgeKindFilter } from '@clew/service/testing';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { forestFiles, generateForest, generateOpenGraph, generateTenant } from '@clew/synthetic';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { emptyStore } from '../../test/ingest/emptyStore.ts';
import { collection, computerRecord, userRecord } from '../../test/ingest/sharpHound.ts';
import { ingestAll, type TestUpload, upload, zipOf } from '../../test/ingest/uploads.ts';
import { requestDeletion } from '../housekeeping/deletionRequests.ts';
import { pruneStale } from '../housekeeping/prune.ts';
import { completedTasks } from '../ingest/uploadJobs.ts';
import { installExtension } from './extensions/installedExtensions.ts';

let database: Database;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyStore(database));

async function ingest(...files: TestUpload[]): Promise<string[]> {
  const id = await upload(database, ...files);
  await ingestAll(database);
  return (await completedTasks(database.db, id)).flatMap(({ errors }) => errors);
}

async function publish(): Promise<Generation> {
  let made: Generation | undefined;
  await buildGeneration(buildContext(database, (generation) => (made = generation)));
  return made as Generation;
}

function nodesOf(generation: Generation): string[] {
  const { graph } = generation;
  return Array.from({ length: graph.nodeCount }, (_, node) => {
    const environment =
      graph.environmentOf[node] < graph.nodeCount ? objectIdOf(graph, graph.environmentOf[node]) : '';
    const kinds = [...kindNamesOf(queryDataOf(generation), node)].sort().join('+');
    return `${objectIdOf(graph, node)} ${kinds} ${nameOf(graph, node)} ${environment}`;
  });
}

function edgesOf(generation: Generation): string[] {
  const { graph } = generation;
  return Array.from({ length: graph.edgeCount }, (_, edge) => {
    const [start, end] = [startOf(graph, edge), endOf(graph, edge)].map((node) => objectIdOf(graph, node));
    return `${start} -${edgeKindName(generation, edgeKindOf(graph, edge))}-> ${end} ${flagsOf(graph, edge)}`;
  }).sort();
}

function flagsOf(graph: AttackGraph, edge: number): string {
  return Object.entries(EdgeFlag)
    .filter(([, bit]) => (graph.out.flags[edge] & bit) !== 0)
    .map(([name]) => name)
    .join(' ');
}

/** `SOURCE KIND`, and whether it waits for an object of which several came. */
async function waiting(): Promise<string[]> {
  const { rows } = await database.pool.query(`
    select concat(source.name, ' ', edge_kind.name, case when is_ambiguous then ' ambiguous' end) as edge
    from waiting_edge join source on source.id = source_id join edge_kind on edge_kind.id = kind_id order by 1`);
  return rows.map(({ edge }) => edge);
}

const person = (id: string, name: string, more: object = {}) => ({
  id,
  kinds: ['Person'],
  properties: { name, ...more },
});
const graphFile = (nodes: readonly object[], edges: readonly object[], metadata?: object): TestUpload => ({
  name: 'graph.json',
  content: { ...(metadata === undefined ? {} : { metadata }), graph: { nodes, edges } },
});

describe('ends of edges', () => {
  test('given by properties are exactly one node: the edge is rejected for several, waits for one, and other edges are kept', async () => {
    const nodes = [
      person('1', 'ann', { team: 'red' }),
      person('2', 'bob', { team: 'red' }),
      person('3', 'bob'),
    ];
    const by = (...matchers: (readonly [string, unknown])[]) => ({
      match_by: 'property',
      property_matchers: matchers.map(([key, value]) => ({ key, operator: 'equals', value })),
    });
    const edges = [
      { kind: 'Knows', start: { value: '1' }, end: { match_by: 'name', value: 'Ann' } },
      { kind: 'Knows', start: { value: '1' }, end: { match_by: 'name', value: 'Bob' } },
      { kind: 'Knows', start: { value: '1' }, end: { match_by: 'name', value: 'Nobody' } },
      { kind: 'Knows', start: { value: '1' }, end: by(['name', 'bob'], ['team', 'red']) },
      { kind: 'Knows', start: { value: '1' }, end: { ...by(['team', 'red']), kind: 'Person' } },
      { kind: 'Knows', start: { value: '3' }, end: { ...by(['name', 'ann']), kind: 'Robot' } },
      { kind: 'Knows', start: { value: '3' }, end: { value: '2' } },
    ];
    const errors = await ingest(graphFile(nodes, edges));
    expect(errors).toEqual([
      'object 1: several objects match the properties of an edge: end of Knows with "name" "BOB"',
      'object 4: several objects match the properties of an edge: end of Knows with "team" "red"',
    ]);
    const made = edgesOf(await publish()).map((edge) => edge.trim());
    expect(made).toEqual(['1 -Knows-> 1', '1 -Knows-> 2', '3 -Knows-> 2']);
  });

  /** Every way to name an end. */
  const WAYS: readonly ((id: string, name: string) => object)[] = [
    (id) => ({ value: id }),
    (id) => ({ value: id, kind: 'Person' }),
    (_, name) => ({ match_by: 'name', value: name }),
    (_, name) => ({ match_by: 'name', value: name, kind: 'Person' }),
    (_, name) => ({
      match_by: 'property',
      property_matchers: [{ key: 'name', operator: 'equals', value: name }],
    }),
    (id) => ({
      match_by: 'property',
      property_matchers: [{ key: 'objectid', operator: 'equals', value: id }],
    }),
  ];
  const PAIRS = WAYS.flatMap((start) => WAYS.map((end) => [start, end] as const));

  test.each([undefined, { source_kind: 'Hub' }])(
    'are found in whatever way each of the two is named: metadata %j',
    async (metadata) => {
      const nodes = PAIRS.flatMap((_, at) => [
        person(`${at}A`, `start ${at}`),
        person(`${at}B`, `end ${at}`),
      ]);
      const edges = PAIRS.map(([start, end], at) => ({
        ...{ kind: 'Knows', properties: { at } },
        ...{ start: start(`${at}A`, `start ${at}`), end: end(`${at}B`, `end ${at}`) },
      }));
      // The set of the start is known already, in another batch or another job, and once more in this one.
      const more = PAIRS.map((_, at) => ({
        ...{ kind: 'Likes', start: { value: `${at}A` }, end: { value: `${at}B` } },
      }));
      expect(await ingest(graphFile(nodes, more.slice(0, 9), metadata))).toEqual([]);
      expect(await ingest(graphFile([], [...more.slice(9), ...edges, ...more], metadata))).toEqual([]);
      const expected = PAIRS.flatMap((_, at) => [`${at}A -Knows-> ${at}B`, `${at}A -Likes-> ${at}B`]).sort();
      const made = () => publish().then((generation) => edgesOf(generation).map((edge) => edge.trim()));
      expect(await made()).toEqual(expected);
      const { rows } = await database.pool.query(`
        select count(*)::integer as count from (
          select one.value as properties from edge_set, jsonb_each(properties) one
          union all select properties from sample_edge
        ) edges where properties ? 'at'`);
      expect(rows).toEqual([{ count: PAIRS.length }]);
      // Repeated facts change nothing.
      const state = async () => (await database.pool.query('select version from facts_state')).rows;
      const before = await state();
      expect(await ingest(graphFile([], edges, metadata))).toEqual([]);
      expect(await state()).toEqual(before);
    },
  );

  test('without a matching object wait for it, one of them or both', async () => {
    const [none, some] = [
      { match_by: 'name', value: 'nobody' },
      { match_by: 'name', value: 'ann' },
    ];
    const edges = [
      { kind: 'Knows', start: none, end: none },
      { kind: 'Knows', start: some, end: none },
      { kind: 'Knows', start: none, end: some },
      { kind: 'Knows', start: some, end: some },
    ];
    expect(await ingest(graphFile([person('1', 'ann')], edges))).toEqual([]);
    const made = async () => edgesOf(await publish()).map((edge) => edge.trim());
    expect(await made()).toEqual(['1 -Knows-> 1']);
    expect(await waiting()).toHaveLength(3);
    await ingest(graphFile([person('2', 'nobody')], []));
    expect(await made()).toEqual(['1 -Knows-> 1', '1 -Knows-> 2', '2 -Knows-> 1', '2 -Knows-> 2']);
    expect(await waiting()).toEqual([]);
  });

  test('that are unknown become nodes of the kind that the end names, without the source kind', async () => {
    const edge = { kind: 'Knows', start: { value: 'a' }, end: { value: 'b', kind: 'Person' } };
    expect(await ingest(graphFile([], [edge], { source_kind: 'Hub' }))).toEqual([]);
    expect(nodesOf(await publish())).toEqual(['A   ', 'B Person  ']);
  });

  test.each(['before', 'after'])(
    'that Active Directory described %s do not go with a source that only refers to them',
    async (when) => {
      const USER = 'S-1-5-21-1-2-3-1105';
      const files = [
        { name: 'users.json', content: collection('users', userRecord(USER)) },
        graphFile([person('h', 'hub')], [{ kind: 'Knows', start: { value: 'h' }, end: { value: USER } }], {
          source_kind: 'Hub',
        }),
      ];
      for (const file of when === 'before' ? files : files.reverse()) await ingest(file);
      const alone = expect.stringMatching(`^${USER} Base\\+User `);
      expect(nodesOf(await publish())).toEqual(['H Hub+Person HUB ', alone]);
      await requestDeletion(database.db, 'user', {
        ...{ allGraph: false, sourcelessGraph: false, sourceKinds: ['Hub'], relationships: [] },
      });
      await ingestAll(database);
      const left = await publish();
      expect(nodesOf(left)).toEqual([alone]);
      expect(edgesOf(left)).toEqual([]);
    },
  );
});

describe('an edge that waits', () => {
  const byName = (value: string, kind?: string) => ({
    ...{ match_by: 'name', value },
    ...(kind === undefined ? {} : { kind }),
  });
  const toAnn = { kind: 'Knows', start: { value: 'b' }, end: byName('ann'), properties: { since: 5 } };
  const made = async () => edgesOf(await publish()).map((edge) => edge.trim());
  const sayEdge = (metadata: object = { source_kind: 'Hub' }) =>
    ingest(graphFile([person('b', 'bob')], [toAnn], metadata));

  test('finds its object in another file of a later job, of another source and kind, with its properties', async () => {
    expect(await sayEdge()).toEqual([]);
    expect(await made()).toEqual([]);
    await ingest(graphFile([person('c', 'carl')], []));
    expect(await waiting()).toEqual(['opengraph:Hub Knows']);
    const USER = 'S-1-5-21-1-2-3-1105';
    await ingest({
      name: 'users.json',
      content: collection('users', userRecord(USER, { Properties: { name: 'ANN' } })),
    });
    expect(await made()).toEqual([`B -Knows-> ${USER}`]);
    expect(await waiting()).toEqual([]);
    const { rows } = await database.pool.query(
      `select source.name, properties from edge_set join source on source.id = source_id where properties is not null`,
    );
    expect(rows).toEqual([{ name: 'opengraph:Hub', properties: { 0: { since: 5 } } }]);
    // It belongs to its own source, and goes with it.
    await requestDeletion(database.db, 'user', {
      ...{ allGraph: false, sourcelessGraph: false, sourceKinds: ['Hub'], relationships: [] },
    });
    await ingestAll(database);
    const left = await publish();
    expect(edgesOf(left)).toEqual([]);
    expect(nodesOf(left)).toEqual(expect.arrayContaining([`${USER} Base+User ANN `]));
  });

  test('is merged with other facts of the job about its start', async () => {
    await sayEdge();
    const edges = [
      { kind: 'Knows', start: { value: 'b' }, end: { value: 'c' } },
      { kind: 'Likes', start: { value: 'b' }, end: byName('carl') },
    ];
    await ingest(graphFile([person('a', 'ann'), person('c', 'carl')], edges, { source_kind: 'Hub' }));
    expect(await made()).toEqual(['B -Knows-> A', 'B -Knows-> C', 'B -Likes-> C']);
  });

  test('for an object of a kind without data ignores others with its name', async () => {
    const edge = { kind: 'Knows', start: { value: 'b' }, end: byName('ann', 'Android') };
    expect(await ingest(graphFile([person('b', 'bob'), person('a', 'ann')], [edge]))).toEqual([]);
    expect(await made()).toEqual([]);
    await ingest(graphFile([{ ...person('d', 'ann'), kinds: ['Android'] }], []));
    expect(await made()).toEqual(['B -Knows-> D']);
  });

  test('stays ambiguous if several objects arrive, and is rejected when it is collected again', async () => {
    await sayEdge();
    await ingest(graphFile([person('1', 'ann')].concat(person('2', 'ann')), []));
    expect(await waiting()).toEqual(['opengraph:Hub Knows ambiguous']);
    await ingest(graphFile([person('1', 'ann')], []));
    expect(await made()).toEqual([]);
    expect(await sayEdge()).toEqual([
      'object 0: several objects match the properties of an edge: end of Knows with "name" "ANN"',
    ]);
    await ingest(graphFile([person('2', 'beth')], []));
    expect(await sayEdge()).toEqual([]);
    expect(await made()).toEqual(['B -Knows-> 1']);
    expect(await waiting()).toEqual([]);
  });

  test('is one edge however often it is repeated, and changes no fact', async () => {
    await sayEdge();
    const version = async () => (await database.pool.query('select version from facts_state')).rows;
    const before = await version();
    await sayEdge();
    expect(await version()).toEqual(before);
    await sayEdge({ source_kind: 'Other' });
    expect(await waiting()).toEqual(['opengraph:Hub Knows', 'opengraph:Other Knows']);
  });

  test.each([
    ['its source', { allGraph: false, sourceKinds: ['Hub'], relationships: [] }],
    ['all data', { allGraph: true, sourceKinds: [], relationships: [] }],
    ['relationships of its kind', { allGraph: false, sourceKinds: [], relationships: ['Knows'] }],
  ])('is deleted with %s', async (_, request) => {
    await sayEdge();
    await requestDeletion(database.db, 'user', { sourcelessGraph: false, ...request });
    await ingestAll(database);
    expect(await waiting()).toEqual([]);
    await ingest(graphFile([person('a', 'ann')], []));
    expect(await made()).toEqual([]);
  });

  test('outlives the source that describes its other end', async () => {
    await ingest(graphFile([person('b', 'bob')], [], { source_kind: 'Other' }));
    await ingest(graphFile([], [toAnn], { source_kind: 'Hub' }));
    await requestDeletion(database.db, 'user', {
      ...{ allGraph: false, sourcelessGraph: false, sourceKinds: ['Other'], relationships: [] },
    });
    await ingestAll(database);
    expect(await waiting()).toEqual(['opengraph:Hub Knows']);
    await ingest(graphFile([person('a', 'ann')], []));
    expect(await made()).toEqual(['B -Knows-> A']);
    expect(await waiting()).toEqual([]);
  });

  test('that no collector has seen for days ages, and a manually uploaded one does not', async () => {
    await sayEdge();
    await sayEdge({ source_kind: 'Other' });
    await database.pool.query(`update waiting_edge set last_seen = '2020-01-01', by_schedule = source_id = (
      select id from source where name = 'opengraph:Other')`);
    await database.db.transaction().execute((db) => pruneStale(db, { objectDays: 7, sessionDays: 3 }));
    expect(await waiting()).toEqual(['opengraph:Hub Knows']);
  });

  test('that is too large is rejected', async () => {
    const edge = { ...toAnn, properties: { text: randomBytes(10_000).toString('hex') } };
    expect(await ingest(graphFile([person('b', 'bob')], [edge]))).toEqual([
      expect.stringContaining('no object matches the properties of an edge, and'),
    ]);
    expect(await waiting()).toEqual([]);
  });
});

describe('ids', () => {
  test('that differ only in case are two objects if the payload says so, and one otherwise', async () => {
    const nodes = ['O_a', 'u_X', 'u_x'].map((id) => ({
      id,
      kinds: ['Thing'],
      properties: { name: id, environmentid: 'O_a' },
    }));
    const edges = [{ kind: 'Knows', start: { value: 'u_X' }, end: { value: 'u_x' } }];
    await ingest(graphFile(nodes, edges, { case_sensitive_ids: true }));
    const generation = await publish();
    expect(nodesOf(generation)).toEqual(['O_a Thing O_A O_a', 'u_X Thing U_X O_a', 'u_x Thing U_X O_a']);
    expect(edgesOf(generation).map((edge) => edge.trim())).toEqual(['u_X -Knows-> u_x']);
    expect(findNamedNode(generation.graph, 'u_x')).toBe(2);
    expect(findNamedNode(generation.graph, 'u_X')).toBe(1);
    await emptyStore(database);
    await ingest(graphFile(nodes, edges));
    expect(nodesOf(await publish())).toEqual(['O_A Thing O_A O_A', 'U_X Thing U_X O_A']);
  });

  test('keep their case if the definition of the source declares it, unless the payload says otherwise', async () => {
    const definition = {
      schema: {
        ...{ name: 'hub', display_name: 'Hub', version: 'v1.0.0', namespace: 'Hub' },
        case_sensitive_ids: true,
      },
      node_kinds: ['Hub_Org', 'Hub_User'].map((name) => ({ name, display_name: name })),
      environments: [{ environment_kind: 'Hub_Org', source_kind: 'HubBase', principal_kinds: ['Hub_User'] }],
    };
    const installed = await database.db.transaction().execute((db) => installExtension(db, definition));
    expect(installed.definition.schema).toMatchObject({ case_sensitive_ids: true });
    onTestFinished(() => void database.pool.query('delete from extension'));
    const USER = 'S-1-5-21-1-2-3-1105';
    const nodes = ['u_X', 'u_x'].map((id) => person(id, id));
    const edges = [
      { kind: 'Hub_Is', start: { value: 'u_x' }, end: { value: USER.toLowerCase() } },
      { kind: 'Hub_Is', start: { value: 'u_X' }, end: { value: USER, kind: 'User' } },
    ];
    await ingest(graphFile(nodes, edges, { source_kind: 'HubBase' }), {
      name: 'users.json',
      content: collection('users', userRecord(USER)),
    });
    const idsOf = ({ graph }: Generation) =>
      Array.from({ length: graph.nodeCount }, (_, node) => objectIdOf(graph, node));
    const generation = await publish();
    expect(idsOf(generation)).toEqual(expect.arrayContaining([USER, 'u_X', 'u_x']));
    expect(edgesOf(generation).filter((edge) => edge.includes('Hub_Is'))).toEqual([
      `u_X -Hub_Is-> ${USER} `,
      `u_x -Hub_Is-> ${USER} `,
    ]);
    await emptyStore(database);
    await ingest(graphFile(nodes, [], { source_kind: 'HubBase', case_sensitive_ids: false }));
    expect(idsOf(await publish())).toEqual(['U_X']);
    await emptyStore(database);
    await ingest(graphFile(nodes, [], { source_kind: 'OtherBase' }));
    expect(idsOf(await publish())).toEqual(['U_X']);
  });

  test('given by properties match exact ids first', async () => {
    const by = (value: string) => ({
      match_by: 'property',
      property_matchers: [{ key: 'objectid', operator: 'equals', value }],
    });
    const nodes = ['u_x', 'U_X', 'U_Y'].map((id) => person(id, id));
    const edges = ['u_x', 'U_X', 'u_y'].map((id) => ({
      ...{ kind: 'Knows', start: { value: 'U_Y' }, end: by(id) },
    }));
    expect(await ingest(graphFile(nodes, edges, { case_sensitive_ids: true }))).toEqual([]);
    expect(edgesOf(await publish()).map((edge) => edge.trim())).toEqual([
      'U_Y -Knows-> U_X',
      'U_Y -Knows-> U_Y',
      'U_Y -Knows-> u_x',
    ]);
  });

  test('of edges may be described by a later job', async () => {
    await ingest(graphFile([], [{ kind: 'Knows', start: { value: 'a' }, end: { value: 'b' } }]));
    await ingest(graphFile([person('a', 'ann'), person('b', 'bob')], []));
    const generation = await publish();
    expect(nodesOf(generation)).toEqual(['A Person ANN ', 'B Person BOB ']);
    expect(edgesOf(generation).map((edge) => edge.trim())).toEqual(['A -Knows-> B']);
  });
});

describe('built-in kinds', () => {
  const COMPUTER = 'S-1-5-21-1-2-3-1104';
  const USER = 'S-1-5-21-1-2-3-1105';

  test('take part in analysis: a member of the administrators of a computer administers it', async () => {
    const member = { kind: 'MemberOfLocalGroup', start: { value: USER }, end: { value: `${COMPUTER}-544` } };
    const errors = await ingest(
      { name: 'computers.json', content: collection('computers', computerRecord(COMPUTER)) },
      { name: 'users.json', content: collection('users', userRecord(USER)) },
      graphFile([], [member]),
    );
    expect(errors).toEqual([]);
    expect(edgesOf(await publish())).toContain(`${USER} -AdminTo-> ${COMPUTER} Derived`);
  });

  test('of Entra ID have the base kind by which analysis knows them', async () => {
    const node = (id: string, kind: string) => ({
      id,
      kinds: [kind],
      properties: { name: id, tenantid: 'T' },
    });
    const owns = {
      kind: 'AZOwns',
      start: { value: 'u', kind: 'AZUser' },
      end: { value: 'a', kind: 'AZApp' },
    };
    await ingest(graphFile([node('u', 'AZUser'), node('a', 'AZApp')], [owns]));
    const generation = await publish();
    expect(nodesOf(generation)).toEqual(['A AZApp+AZBase A ', 'U AZBase+AZUser U ']);
    expect(edgesOf(generation)).toEqual(['U -AZOwns-> A ']);
  });
});

test('custom edge kinds are known, and paths use them only on request', async () => {
  await ingest(
    graphFile([person('1', 'a')], [{ kind: 'Admires', start: { value: '1' }, end: { value: '1' } }]),
  );
  const generation = await publish();
  const [[number]] = [...generation.customEdgeKinds].filter(([, name]) => name === 'Admires');
  expect(parseEdgeKindFilter(generation, undefined, undefined, 'clean').kinds).not.toContain(number);
  expect(parseEdgeKindFilter(generation, 'in:Admires', undefined, 'clean').kinds).toEqual([number]);
  expect(() => parseEdgeKindFilter(generation, 'in:Admires', true, 'clean')).toThrow(
    'no valid edges to traverse',
  );
});

describe('an export', () => {
  async function exported(generation: Generation): Promise<Buffer> {
    const everything = { admitsNode: () => true, admitsEdgeKind: () => true };
    return buffer(jsonStream(exportPieces(database, generation, everything)));
  }

  test('keeps the case of ids if an id needs it', async () => {
    const nodes = ['u_x', 'U_X'].map((id) => person(id, id));
    await ingest(graphFile(nodes, [], { case_sensitive_ids: true }));
    const generation = await publish();
    const before = nodesOf(generation);
    const content = await exported(generation);
    await emptyStore(database);
    await ingest({ name: 'export.json', content });
    expect(nodesOf(await publish())).toEqual(before);
    await emptyStore(database);
    await ingest(graphFile(nodes, []));
    expect(String(await exported(await publish()))).toMatch(/^\{"graph":/);
  });

  test('of an organization, ingested into an empty store, gives the same graph', {
    timeout: 60_000,
  }, async () => {
    const options = { users: 25, seed: 7 };
    const files = [
      ...forestFiles(generateForest(options)),
      generateTenant(options).file,
      generateOpenGraph(options),
    ].map(({ name, text }) => ({ name, content: [...text(() => {})].join('') }));
    expect(await ingest({ name: 'all.zip', content: await zipOf(...files) })).toEqual([]);
    const before = await publish();
    expect(before.customNodeKinds.size).toBeGreaterThan(0);

    const content = await exported(before);
    await requestDeletion(database.db, 'user', {
      allGraph: true,
      sourcelessGraph: false,
      sourceKinds: [],
      relationships: [],
    });
    await ingestAll(database);
    expect((await publish()).graph.nodeCount).toBe(0);
    expect(await ingest({ name: 'export.json', content })).toEqual([]);
    const after = await publish();
    expect(nodesOf(after)).toEqual(nodesOf(before));
    expect(edgesOf(after)).toEqual(edgesOf(before));
  });
});
