/** Installing a bundle of many long queries holds up no other request. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ServiceUnderTest } from './testing/serviceUnderTest.ts';

const MAX_WAIT_MS = 50;
const SEARCHES = 300;

let test: ServiceUnderTest;
beforeAll(async () => {
  test = await ServiceUnderTest.start({}, { makesPlans: false });
});
afterAll(() => test.stop());

const longQuery = (at: number): string => {
  const conditions = Array.from({ length: 200 }, (_, one) => `n.name CONTAINS 'part ${at} ${one}'`);
  return `MATCH (n:User)-[:MemberOf*1..3]->(g:Group) WHERE ${conditions.join(' OR ')} RETURN n, g`;
};

const definition = (query: (at: number) => string) => ({
  schema: { name: 'long', display_name: 'Long', version: 'v1.0.0', namespace: 'LONG' },
  node_kinds: [{ name: 'LONG_Thing', display_name: 'Thing' }],
  saved_searches: Array.from({ length: SEARCHES }, (_, at) => ({ name: `Search ${at}`, query: query(at) })),
});

const cpuOfThread = (): number => {
  const { user, system } = process.threadCpuUsage();
  return user + system;
};

/** Other programs take the processor, too: time is that of the thread that answers. @returns the longest time in which the service answered no one */
async function longestWait(turn: number): Promise<number> {
  const body = JSON.stringify(definition((at) => `${longQuery(at)} // ${turn}`));
  expect(body.length).toBeGreaterThan(1_500_000);
  let [longest, before] = [0, cpuOfThread()];
  const timer = setInterval(() => {
    const now = cpuOfThread();
    longest = Math.max(longest, now - before);
    before = now;
  }, 1);
  const answer = await fetch(`${test.service.url}/api/v2/extensions`, {
    method: 'PUT',
    headers: { authorization: test.authorization, 'content-type': 'application/json' },
    body,
  });
  clearInterval(timer);
  expect(answer.status).toBe(200);
  return longest / 1_000;
}

it('lets others wait no longer than a moment', async () => {
  // Code that is loaded and compiled once does not count.
  expect(
    (
      await test.call(
        'PUT',
        'extensions',
        definition(() => 'MATCH (n) RETURN n'),
      )
    ).status,
  ).toBe(201);
  await test.settled();
  await longestWait(0);
  await test.settled();
  expect(await longestWait(1)).toBeLessThan(MAX_WAIT_MS);
  const { count } = (await test.call('GET', 'saved-queries?scope=public&limit=1')).json;
  expect(count).toBe(SEARCHES);
}, 120_000);

it('names each query that cannot be used, at its place', async () => {
  const rule = (at: number) => ({
    name: `Rule ${at}`,
    cypher: at % 2 === 0 ? 'MATCH (n' : 'MATCH (n) RETURN n',
  });
  const broken = { ...definition(() => 'MATCH (n) RETURN n'), privilege_zone_rules: [0, 1, 2].map(rule) };
  const { status, json } = await test.call('PUT', 'extensions', broken);
  expect(status).toBe(400);
  const faults = json.errors.slice(1).map(({ message }: { readonly message: string }) => message);
  expect(faults.map((message: string) => message.split(':')[0])).toEqual(
    [0, 2].map((at) => `/privilege_zone_rules/${at}/cypher`),
  );
});
