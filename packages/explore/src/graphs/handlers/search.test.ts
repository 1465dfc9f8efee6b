import { graphOf } from '@clew/graph/testing';
import { NodeKind } from '@clew/model';
import type { ReadNodeTexts } from '@clew/queries';
import { generationOf } from '@clew/queries/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { literalProperties, type QueryServer, startQueryServer } from '../../../test/graphs/queryServer.ts';
import { D1, D2, shownNodes, startSmallWorld } from '../../../test/graphs/smallWorld.ts';

let server: QueryServer;
beforeAll(async () => {
  server = await startSmallWorld();
});
afterAll(() => server.close());

describe('search', () => {
  test('returns records, exact matches first', async () => {
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

describe('search by words', () => {
  const user = (id: string, name: string) => ({ id, name, kinds: [NodeKind.Base, NodeKind.User] });
  /** Every user is called Ravi Weber. */
  const texts: ReadNodeTexts = async ({ graph }) => {
    const text = new TextEncoder().encode('Ravi Weber');
    const all = Array.from({ length: graph.nodeCount }, (_, node) => node);
    return {
      nodes: Uint32Array.from(all),
      texts: {
        bytes: Uint8Array.from(all.flatMap(() => [...text])),
        offsets: Uint32Array.from([...all, all.length], (node) => node * text.length),
      },
    };
  };
  const found = async (served: QueryServer, text: string): Promise<string[]> =>
    (await served.get(`search?q=${encodeURIComponent(text)}`)).body.data.map(
      ({ objectid }: { objectid: string }) => objectid,
    );

  test('uses the words of the previous generation while those of a new one are being indexed', async () => {
    const before = graphOf({ nodes: [user('U-1', 'RW1'), user('U-2', 'RW2'), user('U-3', 'RW3')] });
    let isStuck = false;
    const served = await startQueryServer(generationOf(before.graph, { id: 1 }), literalProperties(before), {
      nodeTexts: (data) => (isStuck ? new Promise(() => {}) : texts(data)),
    });
    try {
      expect(await found(served, 'weber ravi')).toEqual(['U-1', 'U-2', 'U-3']);
      isStuck = true;
      // A new object comes first, and one is deleted, so node numbers change.
      const { graph } = graphOf({ nodes: [user('U-0', 'RW0'), user('U-2', 'RW2'), user('U-3', 'RW3')] });
      const storeIdOf = (id: string): number => before.graph.storeIds[before.node(id)];
      const storeIds = Uint32Array.of(1_000, storeIdOf('U-2'), storeIdOf('U-3'));
      served.generations.swap(generationOf({ ...graph, storeIds }, { id: 2 }));
      expect(await found(served, 'weber ravi')).toEqual(['U-2', 'U-3']);
      expect(await found(served, 'rw')).toEqual(['U-0', 'U-2', 'U-3']);
    } finally {
      await served.close();
    }
  });

  test('without any word index is 503 instead of an empty answer', async () => {
    const world = graphOf({ nodes: [user('U-1', 'RW1')] });
    const served = await startQueryServer(generationOf(world.graph, { id: 1 }), literalProperties(world), {
      ...{ nodeTexts: () => new Promise<never>(() => {}), maxWordWaitMs: 10 },
    });
    try {
      expect(await found(served, 'rw1')).toEqual(['U-1']);
      const { status, headers, body } = await served.get('search?q=weber');
      expect([status, headers.get('retry-after'), body.errors.length]).toEqual([503, '5', 1]);
    } finally {
      await served.close();
    }
  });
});

describe('graph search', () => {
  const found = async (query: string): Promise<unknown[]> =>
    shownNodes((await server.get(`graph-search?${query}`)).body.data).map((data) => data.objectid);

  test('finds by whole name and by prefix, including the exact object', async () => {
    expect(await found('query=alice&type=exact')).toEqual([]);
    expect(await found('query=alice@one.local')).toEqual([`${D1}-1101`]);
    expect((await found('query=alice')).sort()).toEqual(['AZ-1', `${D1}-1101`, `${D2}-1101`]);
    expect((await found(`query=${D2}&type=fuzzy`)).sort()).toEqual([D2, `${D2}-1101`]);
  });

  test('finds local groups of computers, by name and by id', async () => {
    const group = `${D1}-1201-544`;
    const world = graphOf({
      nodes: [
        { id: group, kinds: [NodeKind.Base, NodeKind.ADLocalGroup], name: 'ADMINISTRATORS@PC.ONE.LOCAL' },
        { id: `${D1}-1201-555`, kinds: [NodeKind.Base, NodeKind.ADLocalGroup] },
      ],
      edges: [],
    });
    for (const rules of ['clean', 'parity'] as const) {
      const local = await startQueryServer(generationOf(world.graph), literalProperties(world), { rules });
      try {
        const ids = async (query: string) =>
          shownNodes((await local.get(`graph-search?${query}`)).body.data).map((data) => data.objectid);
        expect(await ids('query=administrators@')).toEqual([group]);
        expect(await ids(`query=${D1}-1201`)).toEqual([group, `${D1}-1201-555`]);
        for (const text of [group, 'administrators@pc.one.local']) {
          expect(await ids(`query=${text}&type=exact`)).toEqual([group]);
          expect(await ids(`query=${text}`)).toEqual(rules === 'clean' ? [group] : []);
        }
        expect((await local.get('search?q=administrators')).body.data).toEqual([]);
      } finally {
        await local.close();
      }
    }
  });

  test('under parity rules omits the exact object from prefix matches', async () => {
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
