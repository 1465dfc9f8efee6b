/** Names of finding types in requests are case-insensitive everywhere. */

import { collectControllers, useFindingServer } from '@clew/service/testing';
import { beforeAll, expect, it } from 'vitest';

const server = useFindingServer();
const DOMAIN = 'S-1-5-21-1-2-3';
let domain: string;

beforeAll(async () => {
  await collectControllers(server, [1100, 1101]);
  const { data } = (await server.call('/api/v2/attack-paths/findings?finding=T0GenericAll')).json;
  expect(data.length).toBeGreaterThan(0);
  domain = data[0].environment_id ?? DOMAIN;
});

it.each([
  ['the list', () => '/api/v2/attack-paths/findings?finding=TYPE'],
  ['the list without a type', () => '/api/v2/attack-paths/findings?finding=neq:TYPE'],
  ['its groups', () => '/api/v2/attack-paths/finding-groups?by=cause&finding=TYPE'],
  ['types', () => '/api/v2/attack-path-types?finding=eq:TYPE'],
  ['types that occur', () => '/api/v2/attack-paths/finding-types?finding=TYPE'],
  ['types of an environment', () => `/api/v2/domains/${domain}/available-types?finding=TYPE`],
  ['details', () => `/api/v2/domains/${domain}/details?finding=TYPE`],
  ['details, with a predicate', () => `/api/v2/domains/${domain}/details?finding=eq:TYPE`],
  ['sparklines', () => `/api/v2/domains/${domain}/sparkline?finding=TYPE`],
  ['texts', () => '/api/v2/assets/findings/TYPE/title.md'],
])('%s', async (_, targetOf) => {
  const target = targetOf();
  const [exact, lower, upper] = await Promise.all(
    ['T0GenericAll', 't0genericall', 'T0GENERICALL'].map(async (name) => {
      const { status, json, text } = await server.call(target.replace('TYPE', name));
      return [status, json?.data ?? text];
    }),
  );
  expect(exact).toMatchObject([200, expect.anything()]);
  expect(lower).toEqual(exact);
  expect(upper).toEqual(exact);
});

it('the type that an acceptance names', async () => {
  const [{ id }] = (await server.call('/api/v2/attack-paths/findings?finding=t0genericall')).json.data;
  const accept = (risk_type: string) =>
    server.call(`/api/v2/attack-paths/${id}/acceptance`, {
      method: 'PUT',
      body: { risk_type, accepted: true, reason: 'The group goes in spring' },
    });
  expect((await accept('T0GenericWrite')).status).toBe(404);
  expect((await accept('t0genericall')).status).toBe(200);
});
