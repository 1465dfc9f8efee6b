import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { QueryServer } from '../testing/queryServer.ts';
import { D1, D2, shownNodes, startSmallWorld } from '../testing/smallWorld.ts';

let server: QueryServer;
beforeAll(async () => {
  server = await startSmallWorld();
});
afterAll(() => server.close());

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

  test('under parity rules leaves out the exact object among beginnings', async () => {
    const parity = await startSmallWorld('parity');
    try {
      const { body } = await parity.get('graph-search?query=alice@one.local');
      expect(body.data).toEqual({});
    } finally {
      await parity.close();
    }
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
