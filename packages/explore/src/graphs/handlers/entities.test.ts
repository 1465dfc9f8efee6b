import { NodeKind } from '@clew/model';
import { HIDDEN_VALUE } from '@clew/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type QueryServer, SEEN_AT } from '../../../test/graphs/queryServer.ts';
import { CA, D1, D2, idsOf, startSmallWorld } from '../../../test/graphs/smallWorld.ts';

let server: QueryServer;
beforeAll(async () => {
  server = await startSmallWorld();
});
afterAll(() => server.close());

describe('an entity', () => {
  test('has its properties, kinds and one count per related list', async () => {
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

  test('of another platform has the neighbors of attack steps as controllers and controllables', async () => {
    const { body } = await server.get('base/AZ-1');
    expect(body.data).toMatchObject({ controllables: 1, controllers: 0 });
    expect(idsOf(await server.get('base/AZ-1/controllables'))).toEqual([`${D1}-1101`]);
    expect(idsOf(await server.get('base/AZ-1/controllers'))).toEqual([]);
  });

  test('has no counts unless requested', async () => {
    const { body } = await server.get(`groups/${D1}-512?counts=false`);
    expect(Object.keys(body.data).sort()).toEqual(['kinds', 'props']);
    expect(body.data.props).toMatchObject({ isTierZero: true, system_tags: 'admin_tier_0' });
  });

  test.each([
    ['of another kind', `groups/${D1}-1101`],
    ['an unknown object', 'base/S-1-5-21-9'],
  ])('%s is not found', async (_, path) => {
    const reply = await server.get(path);
    expect([reply.status, reply.body.errors[0].message]).toEqual([404, 'node not found']);
  });

  test('refuses counts that are not a boolean', async () => {
    expect((await server.get(`base/${CA}?counts=maybe`)).status).toBe(400);
  });
});

describe('available domains', () => {
  test('are all environments by name', async () => {
    const { body } = await server.get('available-domains');
    const domain = {
      environment_kind_id: NodeKind.Domain,
      environment_kind_name: 'Domain',
      environment_kind_display_name: 'Domain',
      impactValue: 0,
      hygiene_attack_paths: 0,
      exposures: [],
      not_read: [],
    };
    expect(body.data).toEqual([
      {
        type: 'active-directory',
        name: 'ONE.LOCAL',
        id: D1,
        collected: true,
        ...domain,
      },
      {
        type: 'active-directory',
        name: 'TWO.LOCAL',
        id: D2,
        collected: true,
        ...domain,
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

describe('a caller limited to some environments', () => {
  const get = (path: string) => server.get(path, 'limited');

  test('sees lists without the others', async () => {
    expect((await get('available-domains')).body.data.map(({ id }: { id: string }) => id)).toEqual([D1]);
    expect(
      (await get('search?q=alice')).body.data.map(({ objectid }: { objectid: string }) => objectid),
    ).toEqual([`${D1}-1101`]);
    const page = await get(`aiacas/${CA}/controllers`);
    expect([page.body.count, ...idsOf(page)]).toEqual([3, `${D1}-1101`, `${D1}-1102`, `${D1}-512`]);
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

  test('gets no path that starts or ends at a hidden object, whether or not it exists', async () => {
    for (const start of [`${D2}-1101`, 'S-1-5-21-4-4-4-1101']) {
      const { status } = await get(`graphs/shortest-path?start_node=${start}&end_node=${CA}`);
      expect([start, status]).toEqual([start, 403]);
    }
  });

  test('sees placeholders in graphs', async () => {
    const graph = await get(`aiacas/${CA}/controllers?type=graph`);
    expect(JSON.stringify(graph.body)).not.toContain('ALICE@TWO');
    expect(JSON.stringify(graph.body)).toContain('** Hidden User Object **');
  });
});
