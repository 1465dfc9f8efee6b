import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type QueryServer, SEEN_AT } from '../../../test/graphs/queryServer.ts';
import { CA, D1, D2, shownNodes, startSmallWorld } from '../../../test/graphs/smallWorld.ts';

let server: QueryServer;
beforeAll(async () => {
  server = await startSmallWorld();
});
afterAll(() => server.close());

describe('shortest path', () => {
  const path = (start: string, end: string, more = '') =>
    server.get(`graphs/shortest-path?start_node=${start}&end_node=${end}${more}`);

  test('contains every shortest path once', async () => {
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
    ['', 404],
    ['&only_traversable=false', 200],
    ['&only_traversable=true', 404],
    ['&relationship_kinds=in:GetChanges', 200],
    ['&relationship_kinds=in:GetChanges,%20MemberOf', 200],
    ['&relationship_kinds=nin:GetChanges', 404],
    ['&relationship_kinds=nin:Owns', 404],
    ['&relationship_kinds=nin:Owns&only_traversable=false', 200],
    ['&relationship_kinds=in:GetChanges&only_traversable=true', 400],
    ['&relationship_kinds=in:Foo', 400],
    ['&relationship_kinds=in:TrustedBy', 404],
    ['&relationship_kinds=in:TrustedBy,GetChanges', 200],
    ['&relationship_kinds=GetChanges', 400],
    ['&relationship_kinds=in:', 400],
  ])('over GetChanges with "%s"', async (query, status) => {
    expect((await path(`${D1}-1102`, D1, query)).status).toBe(status);
  });

  test('follows every kind under parity rules, like the public service', async () => {
    const parity = await startSmallWorld('parity');
    try {
      const ends = `start_node=${D1}-1102&end_node=${D1}`;
      const status = async (path: string) => (await parity.get(path)).status;
      expect(await status(`graphs/shortest-path?${ends}`)).toBe(200);
      expect(await status(`graphs/shortest-path?${ends}&only_traversable=true`)).toBe(404);
    } finally {
      await parity.close();
    }
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
  test('are found by the keys in graph answers', async () => {
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
