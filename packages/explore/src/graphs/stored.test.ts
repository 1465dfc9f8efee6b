/** Tests the parts of the database that the read side uses: properties, the export, and the only write. */
import type { DomainSelector } from '@clew/api';
import { Aspect, EdgeFlag, EdgeKind, NodeKind } from '@clew/model';
import { generationOf } from '@clew/queries/testing';
import { loadGraph } from '@clew/service/testing';
import { type Database, HIDDEN_VALUE, storedProperties } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type QueryServer, startQueryServer } from '../../test/graphs/queryServer.ts';

const DOMAIN = 'S-1-5-21-1';
const OTHER = 'S-1-5-21-2';
const FIRST_SEEN = '2026-01-01T00:00:00Z';

let database: Database;
let server: QueryServer;
const storeIds = new Map<string, number>();

async function addNode(
  objectId: string,
  kinds: readonly number[],
  environment: string,
  properties: object,
  parts: { derived?: boolean; derivedKinds?: readonly number[] } = {},
): Promise<void> {
  const { id } = await database.db
    .insertInto('object_id')
    .values({ object_id: objectId })
    .returning('id')
    .executeTakeFirstOrThrow();
  storeIds.set(objectId, id);
  await database.db
    .insertInto('node')
    .values({
      id,
      kinds: [...kinds],
      derived_kinds: [...(parts.derivedKinds ?? [])],
      environment_id: storeIds.get(environment) ?? null,
      properties: JSON.stringify(properties),
      described: true,
      derived: parts.derived ?? false,
      first_seen: FIRST_SEEN,
    })
    .execute();
}

async function addEdges(
  owner: string,
  aspect: number,
  edges: readonly (readonly [start: string, kind: number, end: string, flags: number, properties?: object])[],
): Promise<void> {
  const properties = Object.fromEntries(
    edges.flatMap((edge, at) => (edge[4] === undefined ? [] : [[at, edge[4]]])),
  );
  await database.db
    .insertInto('edge_set')
    .values({
      owner_id: storeIds.get(owner) as number,
      aspect,
      source_id: 1,
      start_ids: edges.map(([start]) => storeIds.get(start) as number),
      kind_ids: edges.map(([, kind]) => kind),
      end_ids: edges.map(([, , end]) => storeIds.get(end) as number),
      flags: edges.map(([, , , flags]) => flags),
      properties: JSON.stringify(properties),
      first_seen: FIRST_SEEN,
      collected_at: FIRST_SEEN,
    })
    .execute();
}

beforeAll(async () => {
  database = await startTestDatabase();
  await database.db.insertInto('source').values({ name: 'sharphound' }).execute();
  await addNode(DOMAIN, [NodeKind.Base, NodeKind.Domain], DOMAIN, { name: 'ONE.LOCAL', collected: true });
  await addNode(OTHER, [NodeKind.Base, NodeKind.Domain], OTHER, { name: 'TWO.LOCAL', trust: { deep: [1] } });
  await addNode(`${DOMAIN}-1101`, [NodeKind.Base, NodeKind.User], DOMAIN, {
    name: 'ALICE@ONE.LOCAL',
    objectid: `${DOMAIN}-1101`,
    userpassword: 'hunter2',
    gone: null,
    hashes: ['a', 'b'],
  });
  await addNode(
    `${DOMAIN}-512`,
    [NodeKind.Base],
    DOMAIN,
    { name: 'DOMAIN ADMINS@ONE.LOCAL' },
    { derivedKinds: [NodeKind.Group] },
  );
  await addNode(
    'ONE.LOCAL-S-1-1-0',
    [NodeKind.Base, NodeKind.Group],
    DOMAIN,
    { name: 'EVERYONE@ONE.LOCAL' },
    { derived: true },
  );
  await addEdges(`${DOMAIN}-512`, Aspect.members, [
    [`${DOMAIN}-1101`, EdgeKind.MemberOf, `${DOMAIN}-512`, EdgeFlag.PrimaryGroup],
  ]);
  await addEdges(DOMAIN, Aspect.acl, [
    [
      `${DOMAIN}-512`,
      EdgeKind.GenericAll,
      DOMAIN,
      EdgeFlag.HasAcl | EdgeFlag.Acl | EdgeFlag.Inherited,
      { inheritancehash: 'AB' },
    ],
  ]);
  await addNode('OU-OUTER', [NodeKind.Base, NodeKind.OU], DOMAIN, {
    name: 'OUTER@ONE.LOCAL',
    isaclprotected: true,
    inheritancehashes: ['CD', 'EF'],
  });
  await addNode('OU-INNER', [NodeKind.Base, NodeKind.OU], DOMAIN, { name: 'INNER@ONE.LOCAL' });
  await addNode('OU-EMPTY', [NodeKind.Base, NodeKind.OU], DOMAIN, { name: '', description: 'empty' });
  await addNode('OU-NUMBER', [NodeKind.Base, NodeKind.OU], DOMAIN, { name: 7 });
  await addNode('OU-BARE', [NodeKind.Base, NodeKind.OU], DOMAIN, {});
  await addEdges(DOMAIN, Aspect['child-objects'], [[DOMAIN, EdgeKind.Contains, 'OU-OUTER', 0]]);
  await addEdges('OU-OUTER', Aspect['child-objects'], [['OU-OUTER', EdgeKind.Contains, 'OU-INNER', 0]]);
  await addEdges('OU-INNER', Aspect['child-objects'], [['OU-INNER', EdgeKind.Contains, `${DOMAIN}-1101`, 0]]);
  await addEdges(`${DOMAIN}-1101`, Aspect.acl, [
    [
      `${DOMAIN}-512`,
      EdgeKind.GenericAll,
      `${DOMAIN}-1101`,
      EdgeFlag.HasAcl | EdgeFlag.Acl | EdgeFlag.Inherited,
      { inheritancehash: 'CD' },
    ],
  ]);
  await addEdges(DOMAIN, Aspect.trusts, [
    [DOMAIN, EdgeKind.CrossForestTrust, OTHER, 0, { trusttype: 'Forest' }],
  ]);
  // Both domains describe the trust.
  await addEdges(OTHER, Aspect.trusts, [
    [
      DOMAIN,
      EdgeKind.CrossForestTrust,
      OTHER,
      0,
      { trusttype: 'External', sidfiltering: true, attributes: 8 },
    ],
  ]);
  await addEdges(DOMAIN, Aspect.derived, [[`${DOMAIN}-1101`, EdgeKind.DCSync, DOMAIN, EdgeFlag.Derived]]);
  await database.db
    .insertInto('sighting')
    .values([
      {
        node_id: storeIds.get(`${DOMAIN}-1101`) as number,
        source_id: 1,
        last_seen: '2026-02-01T00:00:00Z',
        last_collected: null,
        aspects: 0,
      },
      {
        node_id: storeIds.get(`${DOMAIN}-1101`) as number,
        source_id: 2,
        last_seen: '2026-03-01T00:00:00Z',
        last_collected: '2026-03-01T00:00:00Z',
        aspects: 0,
      },
    ])
    .execute();
  const client = await database.pool.connect();
  const loaded = await loadGraph(client, { derived: true });
  client.release();
  const generation = {
    ...generationOf(loaded.graph, { marks: loaded.marks }),
    environments: loaded.environments,
  };
  server = await startQueryServer(generation, storedProperties(database.db), {
    database,
    limited: { limited: [OTHER] },
  });
});

afterAll(async () => {
  await server?.close();
  await database?.close();
});

describe('available domains', () => {
  test('include environments that were not collected', async () => {
    const { body } = await server.get('available-domains');
    expect(body.data.map(({ name, collected }: DomainSelector) => [name, collected])).toEqual([
      ['ONE.LOCAL', true],
      ['TWO.LOCAL', false],
    ]);
  });
});

describe('graph answers', () => {
  const NODE_KEYS = ['objectid', 'kinds', 'isTierZero', 'level'];
  const trust = {
    attributes: 8,
    sidfiltering: true,
    trusttype: 'Forest',
    lastseen: '2026-01-01T00:00:00.000000Z',
  };

  test('have the properties of edges in files, and the properties of nodes, in every form', async () => {
    const ends = `start_node=${DOMAIN}&end_node=${OTHER}`;
    const path = await server.get(`graphs/shortest-path?${ends}&only_traversable=false`);
    expect(path.body.data.edges.map(({ properties }: { properties: object }) => properties)).toEqual([trust]);
    const older = await server.get(`pathfinding?start_node=${DOMAIN}-512&end_node=${DOMAIN}`);
    const right = { inheritancehash: 'AB', isacl: true, isinherited: true, lastseen: trust.lastseen };
    const map = Object.entries<{ data: object }>(older.body.data);
    expect(map.filter(([key]) => key.startsWith('rel_')).map(([, { data }]) => data)).toEqual([right]);
    const nodes = [
      ...Object.values<{ properties: object }>(path.body.data.nodes).map(({ properties }) => properties),
      ...map.filter(([key]) => !key.startsWith('rel_')).map(([, { data }]) => data),
    ];
    expect(nodes).toHaveLength(4);
    for (const node of nodes) expect(Object.keys(node)).toEqual(expect.arrayContaining(NODE_KEYS));
  });

  test('are in panels, too', async () => {
    const { body } = await server.get(`domains/${DOMAIN}/controllers?type=graph`);
    const edges = Object.entries<{ data: object }>(body).filter(([key]) => key.startsWith('rel_'));
    expect(edges.map(([, { data }]) => data)).toContainEqual(
      expect.objectContaining({ inheritancehash: 'AB', isacl: true }),
    );
  });

  test('have the properties of one edge from its sources', async () => {
    const { body: path } = await server.get(`pathfinding?start_node=${DOMAIN}-512&end_node=${DOMAIN}`);
    const key = Object.keys(path.data).find((name) => name.startsWith('rel_')) as string;
    const { body } = await server.get(`relationships/${key.slice(4)}`);
    expect(body.data.properties).toMatchObject({ inheritancehash: 'AB', isinherited: true });
  });
});

describe('stored properties', () => {
  test('include the times of the latest sighting, but no secrets', async () => {
    const { body } = await server.get(`users/${DOMAIN}-1101?counts=false`);
    expect(body.data.props).toEqual({
      name: 'ALICE@ONE.LOCAL',
      objectid: `${DOMAIN}-1101`,
      userpassword: HIDDEN_VALUE,
      gone: null,
      hashes: ['a', 'b'],
      lastseen: '2026-03-01T00:00:00.000000Z',
      lastcollected: '2026-03-01T00:00:00.000000Z',
    });
  });

  test('of a node that was never seen start with its first day', async () => {
    const { body } = await server.get('groups/ONE.LOCAL-S-1-1-0?counts=false');
    expect(body.data.props.lastseen).toBe('2026-01-01T00:00:00.000000Z');
  });

  test('are found for many nodes at once, without unknown ones', async () => {
    const wanted = [...storeIds.values(), ...Array.from({ length: 12_000 }, (_, at) => 1_000_000 + at)];
    const found = await storedProperties(database.db).read(wanted);
    expect([...found.keys()].sort()).toEqual([...storeIds.values()].sort());
  });
});

describe('the export', () => {
  interface Exported {
    readonly graph: {
      readonly nodes: readonly {
        readonly id: string;
        readonly kinds: readonly string[];
        readonly properties: object;
      }[];
      readonly edges: readonly { readonly kind: string }[];
    };
  }
  const exported = async (query = '', caller = 'reader'): Promise<Exported['graph']> =>
    (await server.get(`graphs/export${query}`, caller)).body.graph;

  test('contains every node with kinds and properties, and marks analysis results', async () => {
    const { nodes } = await exported();
    expect(nodes.filter(({ id }) => !id.startsWith('OU-'))).toEqual([
      {
        id: 'ONE.LOCAL-S-1-1-0',
        kinds: ['Base', 'Group'],
        properties: { name: 'EVERYONE@ONE.LOCAL', derived: true },
        derived: true,
      },
      { id: DOMAIN, kinds: ['Base', 'Domain'], properties: { name: 'ONE.LOCAL', collected: true } },
      {
        id: `${DOMAIN}-1101`,
        kinds: ['Base', 'User'],
        properties: { name: 'ALICE@ONE.LOCAL', userpassword: HIDDEN_VALUE, hashes: ['a', 'b'] },
      },
      { id: `${DOMAIN}-512`, kinds: ['Base'], properties: { name: 'DOMAIN ADMINS@ONE.LOCAL' } },
      { id: OTHER, kinds: ['Base', 'Domain'], properties: { name: 'TWO.LOCAL', trust: '{"deep":[1]}' } },
    ]);
  });

  test('contains every edge with its ends and properties', async () => {
    const { edges } = await exported('?kind=CrossForestTrust&kind=DCSync&kind=MemberOf&kind=GenericAll');
    const end = (value: string) => ({ match_by: 'id', value });
    // Sorted if two sources describe an edge, so that the export does not depend on the order of uploads.
    expect(JSON.stringify(edges[0])).toContain('{"attributes":8,"sidfiltering":true,"trusttype":"Forest"}');
    expect(edges).toEqual([
      {
        ...{ kind: 'CrossForestTrust', start: end(DOMAIN), end: end(OTHER) },
        properties: { attributes: 8, sidfiltering: true, trusttype: 'Forest' },
      },
      {
        kind: 'DCSync',
        start: end(`${DOMAIN}-1101`),
        end: end(DOMAIN),
        properties: { derived: true },
        derived: true,
      },
      {
        kind: 'MemberOf',
        start: end(`${DOMAIN}-1101`),
        end: end(`${DOMAIN}-512`),
        properties: { isprimarygroup: true },
      },
      {
        kind: 'GenericAll',
        start: end(`${DOMAIN}-512`),
        end: end(DOMAIN),
        properties: { inheritancehash: 'AB', isacl: true, isinherited: true },
      },
      {
        kind: 'GenericAll',
        start: end(`${DOMAIN}-512`),
        end: end(`${DOMAIN}-1101`),
        properties: { inheritancehash: 'CD', isacl: true, isinherited: true },
      },
    ]);
  });

  test.each([
    [`?environment=${OTHER}`, [OTHER], []],
    ['?kind=User', [`${DOMAIN}-1101`], []],
    ['?kind=User&kind=Domain', [DOMAIN, `${DOMAIN}-1101`, OTHER], ['CrossForestTrust', 'DCSync']],
    ['?kind=User&kind=Domain&kind=DCSync', [DOMAIN, `${DOMAIN}-1101`, OTHER], ['DCSync']],
  ])('narrows to %s', async (query, nodes, edges) => {
    const graph = await exported(query);
    expect(graph.nodes.map(({ id }) => id)).toEqual(nodes);
    expect(graph.edges.map(({ kind }) => kind)).toEqual(edges);
  });

  test.each(['?kind=Nonsense', '?environment=S-1-5-21-9'])('refuses %s', async (query) => {
    expect((await server.get(`graphs/export${query}`)).status).toBe(400);
  });

  test('contains only objects that the caller may see', async () => {
    const graph = await exported('', 'limited');
    expect(graph.nodes.map(({ id }) => id)).toEqual([OTHER]);
    expect(graph.edges).toEqual([]);
  });

  test('releases its connection, also when the client disconnects', async () => {
    for (let turn = 0; turn < 25; turn++) {
      const controller = new AbortController();
      const reply = await fetch(`${server.url}/api/v2/graphs/export`, {
        headers: { authorization: 'test reader' },
        signal: controller.signal,
      });
      if (turn % 2 === 0) controller.abort();
      else await reply.text();
    }
    await expect.poll(() => database.pool.totalCount - database.pool.idleCount, { timeout: 100_000 }).toBe(0);
  });
});

test.each([
  ['OU-EMPTY', undefined],
  ['OU-BARE', undefined],
  ['OU-NUMBER', '7'],
  ['OU-OUTER', 'OUTER@ONE.LOCAL'],
])('the name of %s is %j in exports, in panels and by id', async (id, name) => {
  const { nodes } = (await server.get('graphs/export?kind=OU')).body.graph;
  expect(nodes.find((node: { id: string }) => node.id === id).properties.name).toBe(name);
  expect((await server.get(`ous/${id}?counts=false`)).body.data.props.name).toBe(name);
  expect((await server.get(`nodes/${storeIds.get(id)}`)).body.data?.properties.name).toBe(name);
});

describe('the inheritance of a right', () => {
  const ask = (start: string, kind: string, end: string) =>
    server.get(
      `graphs/acl-inheritance?source_node=${storeIds.get(start) ?? 999}&target_node=${storeIds.get(end)}&edge_type=${kind}`,
    );

  test('is the chain from its origin, up to an object that refuses it', async () => {
    const { status, body } = await ask(`${DOMAIN}-512`, 'GenericAll', `${DOMAIN}-1101`);
    expect(status).toBe(200);
    expect(body.data.edges.map(({ kind }: { kind: string }) => kind)).toEqual([
      'Contains',
      'Contains',
      'GenericAll',
    ]);
    expect(
      Object.values<{ label: string }>(body.data.nodes)
        .map(({ label }) => label)
        .sort(),
    ).toEqual(['ALICE@ONE.LOCAL', 'DOMAIN ADMINS@ONE.LOCAL', 'INNER@ONE.LOCAL', 'OUTER@ONE.LOCAL']);
  });

  test('is empty for an explicit right', async () => {
    expect((await ask(DOMAIN, 'CrossForestTrust', OTHER)).body.data).toEqual({ nodes: {}, edges: [] });
  });

  test.each([
    [DOMAIN, 'Nonsense', OTHER, 'Invalid edge requested: Nonsense'],
    [OTHER, 'CrossForestTrust', DOMAIN, 'Could not find edge matching criteria'],
    ['nobody', 'GenericAll', DOMAIN, 'Could not find edge matching criteria'],
  ])('refuses %s %s %s', async (start, kind, end, message) => {
    const reply = await ask(start, kind, end);
    expect(reply.status).toBe(400);
    expect(reply.body.errors[0].message).toContain(message);
  });
});

describe('the update of a domain', () => {
  const version = async (): Promise<number> =>
    (await database.db.selectFrom('facts_state').select('version').executeTakeFirstOrThrow()).version;

  test('marks it as collected, and requests a new graph if this is a change', async () => {
    const before = await version();
    for (const collected of [true, true, false]) {
      const reply = await server.request('PATCH', `domains/${OTHER}`, { collected }, 'writer');
      expect([reply.status, reply.body]).toEqual([200, { data: { collected } }]);
      expect((await server.get(`domains/${OTHER}?counts=false`)).body.data.props.collected).toBe(collected);
    }
    expect(await version()).toBe(before + 2);
  });

  test.each([
    [`domains/${OTHER}`, {}, 'writer', 400],
    [`domains/${OTHER}`, { collected: 'yes' }, 'writer', 400],
    [`domains/${DOMAIN}-1101`, { collected: true }, 'writer', 404],
    [`domains/${OTHER}`, { collected: true }, 'reader', 403],
  ])('%s with %j by a %s: %i', async (path, body, caller, status) => {
    expect((await server.request('PATCH', path, body, caller)).status).toBe(status);
  });
});
