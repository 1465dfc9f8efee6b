import { ENTITY_KINDS } from '@clew/api';
import { NodeKind } from '@clew/model';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { QueryServer } from '../../../test/graphs/queryServer.ts';
import { CA, D1, D2, idsOf, nodes, shownNodes, startSmallWorld } from '../../../test/graphs/smallWorld.ts';

let server: QueryServer;
beforeAll(async () => {
  server = await startSmallWorld();
});
afterAll(() => server.close());

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
    expect(idsOf(reply)).toEqual(expected);
  });

  test.each([
    ['sort_by=color', 'column format does not support sorting: color'],
    ['skip=-1', 'query parameter "skip" is malformed: must be at least 0'],
    ['limit=x', 'query parameter "limit" is malformed: must be an integer'],
    ['limit=99999999999999999999', 'query parameter "limit" is malformed: must be an integer'],
    ['type=tree', 'there are errors in the query parameters: unsupported result type for this query'],
    ['name=eq:BOB', 'the specified column cannot be filtered: name'],
  ])('refuse %s', async (query, message) => {
    const reply = await server.get(`${path}?${query}`);
    expect([reply.status, reply.body.errors[0].message]).toEqual([400, message]);
  });

  test('show their objects as a graph', async () => {
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

  test('need a sign-in and the permission', async () => {
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

  test('accept ids in lower case', async () => {
    expect((await server.get(`aiacas/${CA.toLowerCase()}/controllers`)).body.count).toBe(4);
  });

  test('ignore the kind in the path', async () => {
    expect((await server.get(`users/${CA}/controllers`)).body.count).toBe(4);
  });

  test('of the contents of a domain have no graph', async () => {
    const reply = await server.get(`domains/${D1}/users?type=graph`);
    expect([reply.status, reply.body.errors[0].message]).toEqual([
      400,
      "there are errors in the query parameters: type 'graph' is not supported for this endpoint",
    ]);
  });

  test('show a path through objects that are not entries as one dashed edge, or show these objects', async () => {
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

  test('have a count in the entity that equals theirs and that of their graph', async () => {
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
