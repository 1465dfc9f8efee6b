import { ClewClient } from '@clew/client';
import { ServiceUnderTest, sidOf, twoDomains } from '@clew/service/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessRequests } from './accessRequests.ts';
import { accessValues } from './accessValues.ts';

const [NORTH, SOUTH] = [sidOf('NORTH'), sidOf('SOUTH')];
let test: ServiceUnderTest;
let admin: ClewClient;

beforeAll(async () => {
  test = await ServiceUnderTest.start({}, { makesPlans: false });
  // The objects of one environment are all before those of the other.
  const users = Array.from({ length: 3_100 }, (_, at) => 1_101 + at);
  await test.upload(...twoDomains({ NORTH: [1101], SOUTH: [1102] }, users));
  await test.settled();
  const { id, key } = await test.data('POST', 'tokens', { token_name: 'values' });
  admin = new ClewClient({ url: test.service.url, credentials: { tokenId: id, tokenKey: key } });
}, 120_000);
afterAll(() => test.stop());

/** Ids of some groups begin with the name of their domain. */
const isOf = (id: string, environment: string): boolean =>
  id.startsWith(environment) || id.startsWith(environment === NORTH ? 'NORTH.' : 'SOUTH.');

it.each([
  [NORTH, SOUTH],
  [SOUTH, NORTH],
])(
  'objects of each kind are asked for, both those that the user sees and those that are hidden: %s, %s',
  async (seen, hidden) => {
    const user = { id: '00000000-0000-0000-0000-000000000001', seen: [seen], hidden: [hidden] };
    const { examples, of } = await accessValues(admin, user, new AbortController().signal);
    for (const [side, environment] of [
      ['seen', seen],
      ['hidden', hidden],
    ] as const)
      for (const kind of ['User', 'Group', 'Domain']) {
        const ids = examples[side].get(kind)?.map(({ id }) => id) ?? [];
        expect([side, kind, ids.length]).toEqual([side, kind, expect.toSatisfy((count) => count > 0)]);
        expect([side, kind, ids.filter((id) => !isOf(id, environment))]).toEqual([side, kind, []]);
      }
    const asked = of('object_id', '/api/v2/users/{object_id}/memberships').map(String);
    expect(asked.some((id) => id.startsWith(seen))).toBe(true);
    expect(asked.some((id) => id.startsWith(hidden))).toBe(true);
    // Relationships of both sides.
    const ends = await Promise.all(
      of('relationship_id', '').map(async (number) => {
        const query = `MATCH (a)-[r]->(b) WHERE id(r) = ${number} RETURN a.domainsid`;
        return (await test.data('POST', 'graphs/cypher', { query, rows: true })).rows[0][0];
      }),
    );
    expect(new Set(ends)).toEqual(new Set([NORTH, SOUTH]));
    const permissions = new Set(['graphdb/Read']);
    expect(accessRequests(permissions, { examples, of }).length).toBeGreaterThan(300);
  },
  60_000,
);
