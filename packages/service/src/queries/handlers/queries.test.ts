import { ENTITY_KINDS } from '@clew/api';
import { graphOf, type TestEdge, type TestNode } from '@clew/graph/testing';
import { EdgeKind, NodeKind } from '@clew/model';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noMarks, setMark } from '../../generation/nodeMarks.ts';
import { HIDDEN_VALUE } from '../nodeProperties.ts';
import { generationOf } from '../testing/generations.ts';
import { literalProperties, type QueryServer, SEEN_AT, startQueryServer } from '../testing/queryServer.ts';

const D1 = 'S-1-5-21-1';
const D2 = 'S-1-5-21-2';
const base = (kind: number): number[] => [NodeKind.Base, kind];
const node = (
  id: string,
  kind: number,
  name: string,
  environment: string | undefined = D1,
  props = {},
): TestNode => ({
  id,
  kinds: base(kind),
  name,
  environment,
  props,
});

const CA = '0E4C5C1F-0000-4000-8000-000000000001';

const nodes: readonly TestNode[] = [
  node(D1, NodeKind.Domain, 'ONE.LOCAL'),
  node(D2, NodeKind.Domain, 'TWO.LOCAL', D2),
  node(CA, NodeKind.AIACA, 'CA@ONE.LOCAL'),
  node(`${D1}-512`, NodeKind.Group, 'DOMAIN ADMINS@ONE.LOCAL'),
  node(`${D1}-1101`, NodeKind.User, 'ALICE@ONE.LOCAL', D1, {
    displayname: 'Alice',
    distinguishedname: 'CN=ALICE,DC=ONE,DC=LOCAL',
    userpassword: 'hunter2',
    unixpassword: '',
  }),
  node(`${D1}-1102`, NodeKind.User, 'BOB@ONE.LOCAL'),
  node(`${D2}-1101`, NodeKind.User, 'ALICE@TWO.LOCAL', D2),
  node(`${D1}-1201`, NodeKind.Computer, 'PC@ONE.LOCAL'),
  { id: 'AZ-1', kinds: [NodeKind.AZBase, NodeKind.AZUser], name: 'ALICE@CLOUD' },
];

const edges: readonly TestEdge[] = [
  [`${D1}-512`, EdgeKind.GenericAll, CA, 1 | 16],
  [`${D1}-1101`, EdgeKind.MemberOf, `${D1}-512`],
  [`${D1}-1102`, EdgeKind.MemberOf, `${D1}-512`],
  [`${D2}-1101`, EdgeKind.MemberOf, `${D1}-512`],
  [`${D1}-512`, EdgeKind.AdminTo, `${D1}-1201`, 32],
  [`${D1}-1201`, EdgeKind.HasSession, `${D1}-1102`],
  [`${D1}-1102`, EdgeKind.GetChanges, D1],
];

let server: QueryServer;

beforeAll(async () => {
  const world = graphOf({ nodes, edges });
  const marks = noMarks(world.graph.nodeCount);
  setMark(marks, 'tierZero', world.node(`${D1}-512`));
  const generation = generationOf(world.graph, { marks, environments: [D2, D1] });
  server = await startQueryServer(generation, literalProperties(world), { limited: { limited: [D1] } });
});

afterAll(() => server.close());

const ids = (reply: { body: { data: { objectID: string }[] } }): string[] =>
  reply.body.data.map((entry) => entry.objectID);
const shownNodes = (graph: Record<string, { id1?: string; data: Record<string, unknown> }>) =>
  Object.entries(graph)
    .filter(([key]) => !key.startsWith('rel_'))
    .map(([, value]) => value.data);

describe('controllers of a certificate authority', () => {
  const path = `aiacas/${CA}/controllers`;

  test('are a page of entries with the total', async () => {
    const reply = await server.get(path);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      count: 4,
      skip: 0,
      limit: 10,
      data: [
        { objectID: `${D1}-1101`, name: 'ALICE@ONE.LOCAL', label: 'User', kinds: ['Base', 'User'] },
        { objectID: `${D1}-1102`, name: 'BOB@ONE.LOCAL', label: 'User', kinds: ['Base', 'User'] },
        { objectID: `${D1}-512`, name: 'DOMAIN ADMINS@ONE.LOCAL', label: 'Group', kinds: ['Base', 'Group'] },
        { objectID: `${D2}-1101`, name: 'ALICE@TWO.LOCAL', label: 'User', kinds: ['Base', 'User'] },
      ],
    });
  });

  test.each([
    ['sort_by=name', [`${D1}-1101`, `${D2}-1101`, `${D1}-1102`, `${D1}-512`]],
    ['sort_by=-name', [`${D1}-512`, `${D1}-1102`, `${D2}-1101`, `${D1}-1101`]],
    ['sort_by=-objectid', [`${D2}-1101`, `${D1}-512`, `${D1}-1102`, `${D1}-1101`]],
    ['sort_by=label&sort_by=-name', [`${D1}-512`, `${D1}-1102`, `${D2}-1101`, `${D1}-1101`]],
    ['sort_by=-label', [`${D1}-1101`, `${D1}-1102`, `${D2}-1101`, `${D1}-512`]],
    ['skip=1&limit=2', [`${D1}-1102`, `${D1}-512`]],
    ['skip=4', []],
    ['skip=9007199254740991&limit=9007199254740991', []],
    ['limit=0', []],
    ['limit=9007199254740991', [`${D1}-1101`, `${D1}-1102`, `${D1}-512`, `${D2}-1101`]],
    ['type=list', [`${D1}-1101`, `${D1}-1102`, `${D1}-512`, `${D2}-1101`]],
    ['type=count', []],
  ])('with %s', async (query, expected) => {
    const reply = await server.get(`${path}?${query}`);
    expect([reply.status, reply.body.count]).toEqual([200, 4]);
    expect(ids(reply)).toEqual(expected);
  });

  test.each([
    ['sort_by=color', 'column format does not support sorting: color'],
    ['sort_by=', 'empty sort_by parameter supplied'],
    ['skip=-1', 'query parameter "skip" is malformed: must be at least 0'],
    ['limit=x', 'query parameter "limit" is malformed: must be an integer'],
    ['limit=99999999999999999999', 'query parameter "limit" is malformed: must be an integer'],
    ['type=tree', 'there are errors in the query parameters: unsupported result type for this query'],
    ['name=eq:BOB', 'the specified column cannot be filtered: name'],
  ])('refuse %s', async (query, message) => {
    const reply = await server.get(`${path}?${query}`);
    expect([reply.status, reply.body.errors[0].message]).toEqual([400, message]);
  });

  test('show as graph what they list', async () => {
    const { status, body } = await server.get(`${path}?type=graph`);
    expect(status).toBe(200);
    expect(
      shownNodes(body)
        .map((data) => data.objectid)
        .sort(),
    ).toEqual([CA, `${D1}-1101`, `${D1}-1102`, `${D1}-512`, `${D2}-1101`].sort());
    const labels = Object.entries<{ label: { text: string } }>(body).flatMap(([key, { label }]) =>
      key.startsWith('rel_') ? [label.text] : [],
    );
    expect(labels.sort()).toEqual(['GenericAll', 'MemberOf', 'MemberOf', 'MemberOf']);
  });

  test('need a login and the permission', async () => {
    expect((await server.get(path, 'nobody')).status).toBe(403);
    expect((await fetch(`${server.url}/api/v2/${path}`)).status).toBe(401);
  });
});

describe('related lists', () => {
  test.each([
    ['an unknown object', `users/S-1-5-21-9/controllers`],
    ['an object of another platform', 'users/AZ-1/controllers'],
    ['10 kB of id', `users/${'X'.repeat(10_000)}/controllers`],
    ['an id with percent signs', 'users/%25%32%35/controllers'],
    ['an id with a slash inside', 'users/A%2FB/controllers'],
    ['an id in another script', `users/${encodeURIComponent('☃')}/controllers`],
  ])('of %s are empty', async (_, path) => {
    const page = await server.get(path);
    expect([page.status, page.body]).toEqual([200, { count: 0, limit: 10, skip: 0, data: [] }]);
    const graph = await server.get(`${path}?type=graph`);
    expect([graph.status, graph.body]).toEqual([200, {}]);
  });

  test.each(['users/%00/controllers', 'users/A%0AB/controllers'])(
    'refuse control characters: %s',
    async (path) => {
      expect((await server.get(path)).status).toBe(400);
    },
  );

  test('refuse a broken percent-encoding', async () => {
    expect((await server.get('users/%zz/controllers')).status).toBe(400);
  });

  test('take ids in lower case', async () => {
    expect((await server.get(`aiacas/${CA.toLowerCase()}/controllers`)).body.count).toBe(4);
  });

  test('do not look at the kind in the path', async () => {
    expect((await server.get(`users/${CA}/controllers`)).body.count).toBe(4);
  });

  test('of what a domain holds have no graph', async () => {
    const reply = await server.get(`domains/${D1}/users?type=graph`);
    expect([reply.status, reply.body.errors[0].message]).toEqual([
      400,
      "there are errors in the query parameters: type 'graph' is not supported for this endpoint",
    ]);
  });

  test('draw a way through objects that are no entries as one dashed edge, or show them', async () => {
    const path = `users/${D1}-1101/controllables?type=graph`;
    const { body } = await server.get(path);
    expect(
      shownNodes(body)
        .map((data) => data.objectid)
        .sort(),
    ).toEqual([CA, `${D1}-1101`].sort());
    const [way] = Object.values<Record<string, unknown>>(body).filter((entry) => 'id1' in entry);
    expect(way).toMatchObject({
      lineStyle: 'dashed',
      label: { text: 'MemberOf > GenericAll' },
      data: { kinds: ['MemberOf', 'GenericAll'], through: ['DOMAIN ADMINS@ONE.LOCAL'] },
    });
    const whole = await server.get(`${path}&connecting=true`);
    const between = shownNodes(whole.body).filter((data) => data.connecting === true);
    expect(between.map((data) => data.objectid)).toEqual([`${D1}-512`]);
  });

  test('have a count in the entity that equals theirs and what their graph shows', async () => {
    for (const { segment, kind, related } of ENTITY_KINDS) {
      for (const { id, kinds } of nodes) {
        if (!kinds?.includes(NodeKind[kind])) continue;
        const entity = (await server.get(`${segment}/${id}`)).body.data;
        for (const { suffix, countKey } of related) {
          const page = await server.get(`${segment}/${id}/${suffix}?limit=100`);
          expect([suffix, page.body.count]).toEqual([suffix, entity[countKey]]);
          expect(page.body.data.length).toBe(page.body.count);
          const graph = await server.get(`${segment}/${id}/${suffix}?type=graph`);
          if (graph.status === 200) expect(shownNodes(graph.body).length).toBe(page.body.count + 1);
          else expect(segment).toBe('domains');
        }
      }
    }
  });
});

describe('an entity', () => {
  test('has its properties, kinds and one count for each related list', async () => {
    const { status, body } = await server.get(`users/${D1}-1101`);
    expect(status).toBe(200);
    expect(body.data.kinds).toEqual(['Base', 'User']);
    expect(body.data.props).toEqual({
      objectid: `${D1}-1101`,
      name: 'ALICE@ONE.LOCAL',
      displayname: 'Alice',
      distinguishedname: 'CN=ALICE,DC=ONE,DC=LOCAL',
      userpassword: HIDDEN_VALUE,
      unixpassword: '',
      lastseen: SEEN_AT,
    });
    expect(body.data).toMatchObject({
      groupMembership: 1,
      adminRights: 1,
      controllables: 1,
      controllers: 0,
      sessions: 0,
    });
  });

  test('has no counts when none are asked for', async () => {
    const { body } = await server.get(`groups/${D1}-512?counts=false`);
    expect(Object.keys(body.data).sort()).toEqual(['kinds', 'props']);
    expect(body.data.props).toMatchObject({ isTierZero: true, system_tags: 'admin_tier_0' });
  });

  test.each([
    ['of another kind', `groups/${D1}-1101`],
    ['nobody knows', 'base/S-1-5-21-9'],
    ['of another platform', 'base/AZ-1'],
  ])('%s is not found', async (_, path) => {
    const reply = await server.get(path);
    expect([reply.status, reply.body.errors[0].message]).toEqual([404, 'node not found']);
  });

  test('refuses counts that are no boolean', async () => {
    expect((await server.get(`base/${CA}?counts=maybe`)).status).toBe(400);
  });
});

describe('available domains', () => {
  test('are all environments by name', async () => {
    const { body } = await server.get('available-domains');
    expect(body.data).toEqual([
      {
        type: 'active-directory',
        name: 'ONE.LOCAL',
        id: D1,
        collected: true,
        impactValue: 0,
        hygiene_attack_paths: 0,
        exposures: [],
      },
      {
        type: 'active-directory',
        name: 'TWO.LOCAL',
        id: D2,
        collected: true,
        impactValue: 0,
        hygiene_attack_paths: 0,
        exposures: [],
      },
    ]);
  });

  test.each([
    ['sort_by=-name', [D2, D1]],
    ['name=~eq:two', [D2]],
    [`objectid=eq:${D1}`, [D1]],
    ['collected=eq:False', []],
  ])('with %s', async (query, expected) => {
    const { body } = await server.get(`available-domains?${query}`);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(expected);
  });

  test('refuse an unknown column', async () => {
    expect((await server.get('available-domains?sort_by=type')).status).toBe(400);
  });
});

describe('search', () => {
  test('answers records, exact hits first', async () => {
    const { body } = await server.get('search?q=alice');
    expect(body.data.map(({ objectid }: { objectid: string }) => objectid)).toEqual([
      'AZ-1',
      `${D1}-1101`,
      `${D2}-1101`,
    ]);
    expect((await server.get(`search?q=${D1}-512`)).body.data).toEqual([
      {
        objectid: `${D1}-512`,
        type: 'Group',
        name: 'DOMAIN ADMINS@ONE.LOCAL',
        distinguishedname: '',
        system_tags: 'admin_tier_0',
      },
    ]);
  });

  test.each([
    ['type=AZUser', ['AZ-1']],
    ['type=User&type=AZUser&type=Nonsense', ['AZ-1', `${D1}-1101`, `${D2}-1101`]],
    ['skip=1&limit=1', [`${D1}-1101`]],
    ['skip=3', []],
    ['limit=0', []],
  ])('with %s', async (query, expected) => {
    const { body } = await server.get(`search?q=alice&${query}`);
    expect(body.data.map(({ objectid }: { objectid: string }) => objectid)).toEqual(expected);
  });

  test.each([
    ['search', 'Invalid search parameter'],
    ['search?q=', 'Invalid search parameter'],
    ['search?q=a&type=Nonsense', 'Invalid type parameter'],
    ['search?q=a&skip=x', 'Invalid query parameter: skip'],
  ])('refuses %s', async (path, message) => {
    const reply = await server.get(path);
    expect([reply.status, reply.body.errors[0].message]).toEqual([400, message]);
  });
});

describe('graph search', () => {
  const found = async (query: string): Promise<unknown[]> =>
    shownNodes((await server.get(`graph-search?${query}`)).body.data).map((data) => data.objectid);

  test('finds by whole name and by beginning, the exact object too', async () => {
    expect(await found('query=alice&type=exact')).toEqual([]);
    expect(await found('query=alice@one.local')).toEqual([`${D1}-1101`]);
    expect((await found('query=alice')).sort()).toEqual(['AZ-1', `${D1}-1101`, `${D2}-1101`]);
    expect((await found(`query=${D2}&type=fuzzy`)).sort()).toEqual([D2, `${D2}-1101`]);
  });

  test.each([
    ['graph-search', 'Expected search parameter to be set.'],
    ['graph-search?query=', 'Expected search parameter to be set.'],
    ['graph-search?query=a&query=b', 'Expected only one search value.'],
    ['graph-search?query=a&type=exact&type=fuzzy', 'Expected only one search type.'],
  ])('refuses %s', async (path, message) => {
    const reply = await server.get(path);
    expect([reply.status, reply.body.errors[0].message]).toEqual([400, message]);
  });
});

describe('shortest path', () => {
  const path = (start: string, end: string, more = '') =>
    server.get(`graphs/shortest-path?start_node=${start}&end_node=${end}${more}`);

  test('holds every shortest path once', async () => {
    const { status, body } = await path(`${D1}-1101`, `${D1}-1102`);
    expect(status).toBe(200);
    expect(body.data.edges.map(({ kind }: { kind: string }) => kind)).toEqual([
      'MemberOf',
      'HasSession',
      'AdminTo',
    ]);
    expect(
      Object.values<{ label: string }>(body.data.nodes)
        .map(({ label }) => label)
        .sort(),
    ).toEqual(['ALICE@ONE.LOCAL', 'BOB@ONE.LOCAL', 'DOMAIN ADMINS@ONE.LOCAL', 'PC@ONE.LOCAL']);
    for (const { source, target, lastSeen } of body.data.edges) {
      expect(body.data.nodes).toHaveProperty(source);
      expect(body.data.nodes).toHaveProperty(target);
      expect(lastSeen).toBe(SEEN_AT);
    }
  });

  test.each([
    ['no path', [`${D1}-1201`, D2], 404, 'path not found'],
    ['the other direction', [`${D1}-512`, `${D1}-1101`], 404, 'path not found'],
    ['start = end', [CA, CA], 404, 'path not found'],
    ['an unknown start', ['S-1', CA], 404, 'node not found'],
    ['an unknown end', [CA, 'S-1'], 404, 'node not found'],
    ['no start', ['', CA], 400, 'Missing query parameter: start_node'],
    ['no end', [CA, ''], 400, 'Missing query parameter: end_node'],
  ] as const)('%s', async (_, [start, end], status, message) => {
    const reply = await path(start, end);
    expect([reply.status, reply.body.errors[0].message]).toEqual([status, message]);
  });

  test.each([
    ['', 200],
    ['&only_traversable=false', 200],
    ['&only_traversable=true', 404],
    ['&relationship_kinds=in:GetChanges', 200],
    ['&relationship_kinds=in:GetChanges,%20MemberOf', 200],
    ['&relationship_kinds=nin:GetChanges', 404],
    ['&relationship_kinds=in:GetChanges&only_traversable=true', 400],
    ['&relationship_kinds=in:Foo', 400],
    ['&relationship_kinds=GetChanges', 400],
    ['&relationship_kinds=in:', 400],
  ])('over GetChanges with "%s"', async (query, status) => {
    expect((await path(`${D1}-1102`, D1, query)).status).toBe(status);
  });

  test('has an older form', async () => {
    const { body } = await server.get(`pathfinding?start_node=${D1}-1101&end_node=${CA}`);
    expect(
      shownNodes(body.data)
        .map((data) => data.objectid)
        .sort(),
    ).toEqual([CA, `${D1}-1101`, `${D1}-512`].sort());
    expect((await server.get(`pathfinding?start_node=${CA}&end_node=${D1}`)).body).toEqual({ data: {} });
    expect((await server.get('pathfinding?start_node=a')).status).toBe(400);
  });
});

describe('single objects of the graph', () => {
  test('are found by the keys graph answers show', async () => {
    const { body } = await server.get(`pathfinding?start_node=${D1}-1101&end_node=${CA}`);
    for (const [key, drawn] of Object.entries<Record<string, { text?: string; objectid?: string }>>(
      body.data,
    )) {
      if (key.startsWith('rel_')) {
        const edge = (await server.get(`relationships/${key.slice(4)}`)).body.data;
        expect(edge.kind.name).toBe(drawn.label.text);
        const kind = await server.get(`relationship-kinds/${edge.kind.relationship_kind_id}`);
        expect(kind.body.data).toMatchObject({ name: drawn.label.text, is_traversable: true });
      } else {
        const found = (await server.get(`nodes/${key}?include-info=true`)).body.data;
        expect(found.properties.objectid).toBe(drawn.data.objectid);
        const kind = await server.get(`node-kinds/${found.kinds[1].node_kind_id}`);
        expect(kind.body.data.name).toBe(found.kinds[1].name);
      }
    }
  });

  test.each([
    ['nodes/4000000', 404],
    ['nodes/x', 400],
    ['nodes/99999999999999', 404],
    ['relationships/4000000', 404],
    ['relationships/-1', 400],
    ['node-kinds/999', 404],
    ['relationship-kinds/999', 404],
  ])('%s', async (path, status) => {
    expect((await server.get(path)).status).toBe(status);
  });

  test('kinds are listed by type', async () => {
    const kinds = async (query: string): Promise<string[]> =>
      (await server.get(`graphs/kinds${query}`)).body.data.kinds;
    expect(await kinds('?type=eq:node')).toContain('User');
    expect(await kinds('?type=eq:node')).not.toContain('MemberOf');
    expect(await kinds('?type=neq:node')).toEqual(await kinds('?type=edge'));
    expect(await kinds('')).toEqual([...(await kinds('?type=node')), ...(await kinds('?type=edge'))]);
    expect((await server.get('graphs/kinds?type=eq:other')).status).toBe(400);
  });
});

describe('a caller limited to some environments', () => {
  const get = (path: string) => server.get(path, 'limited');

  test('sees lists without the others', async () => {
    expect((await get('available-domains')).body.data.map(({ id }: { id: string }) => id)).toEqual([D1]);
    expect(
      (await get('search?q=alice')).body.data.map(({ objectid }: { objectid: string }) => objectid),
    ).toEqual([`${D1}-1101`]);
    const page = await get(`aiacas/${CA}/controllers`);
    expect([page.body.count, ...ids(page)]).toEqual([3, `${D1}-1101`, `${D1}-1102`, `${D1}-512`]);
    expect((await get(`aiacas/${CA}`)).body.data.controllers).toBe(3);
  });

  test('is refused single objects of the others', async () => {
    for (const path of [`users/${D2}-1101`, `users/${D2}-1101/controllables`, `domains/${D2}`]) {
      const reply = await get(path);
      expect([reply.status, reply.body.errors[0].message]).toEqual([
        403,
        'User does not have permission to access this domain',
      ]);
    }
  });

  test('sees placeholders in graphs', async () => {
    const { body } = await get(`graphs/shortest-path?start_node=${D2}-1101&end_node=${CA}`);
    const hidden = Object.values<{ hidden?: boolean }>(body.data.nodes).filter(
      (shown) => shown.hidden === true,
    );
    expect(hidden).toMatchObject([{ label: '** Hidden User Object **', objectId: '' }]);
    expect(JSON.stringify(body)).not.toContain('ALICE@TWO');
    const graph = await get(`aiacas/${CA}/controllers?type=graph`);
    expect(JSON.stringify(graph.body)).not.toContain('ALICE@TWO');
    expect(JSON.stringify(graph.body)).toContain('** Hidden User Object **');
  });
});
