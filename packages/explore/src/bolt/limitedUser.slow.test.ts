/** A user with limited environments over Bolt gets what the environments have, and nothing of the others. */
import { RawBolt } from '@clew/server/testing';
import { ServiceUnderTest, sidOf, twoDomains } from '@clew/service/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { newToken } from '../../test/bolt/boltService.ts';

const [NORTH, SOUTH] = [sidOf('NORTH'), sidOf('SOUTH')];

let service: ServiceUnderTest;
let all: RawBolt;
let limited: RawBolt;

/** An object of the south with a kind, a property and a relationship that the north does not have. */
const southernOnly = [
  {
    meta: { type: 'ous', version: 6, count: 1, methods: 0x7ffff },
    data: [
      {
        ...{
          ObjectIdentifier: 'A3F1C4D2-0000-4000-8000-000000000001',
          IsDeleted: false,
          IsACLProtected: false,
        },
        Properties: {
          name: 'DESKS@SOUTH.EXAMPLE',
          domain: 'SOUTH.EXAMPLE',
          domainsid: SOUTH,
          southern: 'yes',
        },
        Aces: [
          {
            PrincipalSID: `${NORTH}-1101`,
            PrincipalType: 'User',
            RightName: 'WriteDacl',
            IsInherited: false,
          },
        ],
        ...{ Links: [], ChildObjects: [] },
      },
    ],
  },
];

beforeAll(async () => {
  service = await ServiceUnderTest.start({ CLEW_BOLT_PORT: '0' }, { makesPlans: false });
  await service.upload(...twoDomains({ NORTH: [1101], SOUTH: [1102] }, [1101, 1102]), ...southernOnly);
  await service.settled();
  const north = await service.addUser('north', 'Read-Only', [NORTH]);
  const url = service.service.boltUrl as string;
  const [own, others] = [await newToken(service), await newToken(service, north)];
  all = await RawBolt.signedIn(url, own.id, own.key);
  limited = await RawBolt.signedIn(url, others.id, others.key);
  await vi.waitUntil(async () => (await all.rows('MATCH (n:OU) RETURN n')).length > 0, {
    timeout: 100_000,
    interval: 200,
  });
}, 200_000);
afterAll(async () => {
  for (const client of [all, limited]) client.socket.destroy();
  await service.stop();
});

it.each([
  ['labels', 'CALL db.labels()', 'User', 'OU'],
  ['types of relationships', 'CALL db.relationshipTypes()', 'GenericAll', 'WriteDacl'],
  ['names of properties', 'CALL db.propertyKeys()', 'objectid', 'southern'],
])('names %s of its environments only', async (_, query, northern, southern) => {
  expect((await all.rows(query)).flat()).toEqual(expect.arrayContaining([northern, southern]));
  const names = (await limited.rows(query)).flat();
  expect(names).toContain(northern);
  expect(names).not.toContain(southern);
});

it('gives whole nodes of its environments, and none of the others', async () => {
  const query = 'MATCH (n:Base) WHERE n.domainsid STARTS WITH $sid RETURN n ORDER BY n.objectid';
  const nodesOf = (client: RawBolt, sid: string) => client.rows(query.replace('$sid', `'${sid}'`));
  const northern = await nodesOf(limited, NORTH);
  expect(northern.length).toBeGreaterThan(3);
  expect(northern).toEqual(await nodesOf(all, NORTH));
  expect((await nodesOf(all, SOUTH)).length).toBeGreaterThan(3);
  expect(await nodesOf(limited, SOUTH)).toEqual([]);
});

it('gives paths that stay in its environments', async () => {
  const query = 'MATCH p = (u:User)-[:GenericAll|WriteDacl]->(n) RETURN p';
  const [every, own] = [await all.rows(query), await limited.rows(query)];
  expect([every.length, own.length]).toEqual([3, 1]);
  expect(every).toEqual(expect.arrayContaining([...own]));
  expect(JSON.stringify(own)).not.toContain('SOUTH');
});
