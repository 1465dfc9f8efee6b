/** Tests that whole numbers above 2^53, such as FILETIMEs from collectors, keep their digits from the file to every answer. */

import { collection, computerRecord, userRecord } from '@clew/intake/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ServiceUnderTest } from '../test/serviceUnderTest.ts';

const DOMAIN = 'S-1-5-21-1-1-1';
const [ANN, BOB, HOST] = [`${DOMAIN}-1101`, `${DOMAIN}-1102`, `${DOMAIN}-1300`];
/** The nearest double ends with 576, and prints as 580. */
const SEEN = 134_400_570_003_280_569n;
const NEVER = 2n ** 63n - 1n;
const LEAST = -(2n ** 63n);
const HUGE = 10n ** 40n + 1n;

let service: ServiceUnderTest;

const person = (name: string, more: object = {}) => ({
  Properties: { name, domainsid: DOMAIN, enabled: true, ...more },
});
const files = [
  collection('domains', {
    ObjectIdentifier: DOMAIN,
    Properties: { name: 'ONE.EXAMPLE', domainsid: DOMAIN, collected: true, maxpwdage: LEAST },
    Aces: [],
  }),
  collection(
    'users',
    userRecord(ANN, person('ANN@ONE.EXAMPLE', { badpasswordtime: SEEN, accountexpires: NEVER, huge: HUGE })),
    userRecord(BOB, person('BOB@ONE.EXAMPLE', { badpasswordtime: 1_700_000_000 })),
  ),
  collection('computers', computerRecord(HOST, person('HOST.ONE.EXAMPLE'))),
  {
    graph: {
      nodes: [{ id: 'APP', kinds: ['App'], properties: { name: 'APP', ticks: SEEN, list: [SEEN, 1] } }],
      edges: [
        {
          kind: 'RunsOn',
          start: {
            match_by: 'property',
            property_matchers: [{ key: 'ticks', operator: 'equals', value: SEEN }],
          },
          end: { value: HOST },
          properties: { since: SEEN },
        },
      ],
    },
  },
];

beforeAll(async () => {
  service = await ServiceUnderTest.start({}, { makesPlans: false });
  const { id } = (await service.call('POST', 'file-upload/start')).json.data;
  for (const file of files) expect((await service.call('POST', `file-upload/${id}`, file)).status).toBe(202);
  await service.call('POST', `file-upload/${id}/end`);
  const jobs = async () => (await service.call('GET', 'file-upload?sort_by=-id')).json.data;
  await vi.waitUntil(async () => [2, 5, 8].includes((await jobs())[0].status), {
    timeout: 100_000,
    interval: 100,
  });
  expect((await jobs())[0].status).toBe(2);
});
afterAll(() => service.stop());

const ask = (query: string, more: object = {}) =>
  service.call('POST', 'graphs/cypher', { query, rows: true, ...more });

it.each([
  ['a value', 'MATCH (u:User) WHERE u.accountexpires IS NOT NULL RETURN u.badpasswordtime', SEEN],
  ['the largest and the least', 'MATCH (u:User), (d:Domain) RETURN DISTINCT d.maxpwdage', LEAST],
  ['one of more than 64 bits', 'MATCH (u:User) WHERE u.huge > 0 RETURN u.huge', HUGE],
  ['a relationship', 'MATCH ()-[r:RunsOn]->() RETURN r.since', SEEN],
  ['a list', 'MATCH (a:App) RETURN a.list', [SEEN, 1]],
  ['all properties', `MATCH (u {objectid: '${ANN}'}) RETURN properties(u).badpasswordtime`, SEEN],
  ['a literal', `MATCH (u {badpasswordtime: ${SEEN}}) RETURN u.name`, 'ANN@ONE.EXAMPLE'],
  ['a parameter', 'MATCH (u:User) WHERE u.badpasswordtime = $seen RETURN u.name', 'ANN@ONE.EXAMPLE'],
  [
    'no neighbor',
    `MATCH (u:User) WHERE u.badpasswordtime IN [${SEEN - 1n}, ${SEEN + 7n}] RETURN count(u)`,
    0,
  ],
  ['order', `MATCH (u:User) WHERE u.badpasswordtime > ${SEEN - 1n} RETURN u.name`, 'ANN@ONE.EXAMPLE'],
  ['the largest', 'MATCH (u:User) RETURN max(u.badpasswordtime)', SEEN],
  ['arithmetic', 'MATCH (u:User) WHERE u.accountexpires > 0 RETURN u.badpasswordtime + 1', SEEN + 1n],
  [
    'seconds',
    `MATCH (u {objectid: '${ANN}'}) RETURN u.badpasswordtime / 10000000 - 11644473600`,
    1_795_583_400,
  ],
  ['text', `MATCH (u {objectid: '${ANN}'}) RETURN toString(u.badpasswordtime)`, String(SEEN)],
  ['from text', `RETURN toInteger('${NEVER}')`, NEVER],
])('in a query: %s', async (_, query, value) => {
  const { status, json } = await ask(query, { parameters: { seen: SEEN } });
  expect([status, json.data?.rows ?? json]).toEqual([200, [[value]]]);
});

it('refuses results beyond 64 bits, and such literals', async () => {
  for (const query of [`RETURN ${NEVER} + 1`, `RETURN ${NEVER + 1n}`])
    expect([query, (await ask(query)).json.errors[0].message]).toEqual([
      query,
      expect.stringContaining('too large'),
    ]);
});

it.each([
  ['the export', 'GET', 'graphs/export', undefined, [SEEN, NEVER, HUGE, LEAST]],
  ['an object', 'GET', `users/${ANN}`, undefined, [SEEN, NEVER, HUGE]],
  ['a domain', 'GET', `domains/${DOMAIN}`, undefined, [LEAST]],
  [
    'the graph of a query',
    'POST',
    'graphs/cypher',
    { query: 'MATCH (a)-[r:RunsOn]->(b) RETURN a, r, b', include_properties: true },
    [SEEN],
  ],
] as const)('in the text of an answer: %s', async (_, method, path, body, wanted) => {
  const answer = await fetch(`${service.service.url}/api/v2/${path}`, {
    method,
    headers: { authorization: service.authorization, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  const text = await answer.text();
  expect([answer.status, answer.status === 200 ? '' : text]).toEqual([200, '']);
  const found = [...text.matchAll(/(?<=[:[,]\s*)-?\d{16,}(?=\s*[,}\]])/g)].map(([digits]) => BigInt(digits));
  expect(new Set(found)).toEqual(new Set(wanted));
});
