/** Installing a bundle of many long queries holds up no other request. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ServiceUnderTest } from '../test/serviceUnderTest.ts';

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

/** Time that the thread of the service has worked, in microseconds. */
const worked = (): number => {
  const { user, system } = process.threadCpuUsage();
  return user + system;
};

/**
 * How long others wait while `work` runs: small requests come one after the other, and the thread's own work between two turns of its loop is
 * measured. A wait has two parts: what the service does before it turns to the request, which is its own, and what other programs of the
 * machine take meanwhile, which is not; so the first is held to the bound by the time of the processor, and the requests themselves by the
 * wall clock against as many alone, in the same minute.
 */
async function waitsBeside(
  work: Promise<unknown>,
): Promise<{ readonly turnMs: number; readonly answersMs: readonly number[] }> {
  let [longest, before, isOver] = [0, worked(), false];
  const timer = setInterval(() => {
    const now = worked();
    longest = Math.max(longest, now - before);
    before = now;
  }, 1);
  const ended = work.finally(() => {
    isOver = true;
  });
  const answersMs: number[] = [];
  while (!isOver) {
    const begun = performance.now();
    const answer = await fetch(`${test.service.url}/api/version`, {
      headers: { authorization: test.authorization },
    });
    expect(answer.status).toBe(200);
    await answer.arrayBuffer();
    answersMs.push(performance.now() - begun);
    await sleep(5);
  }
  clearInterval(timer);
  await ended;
  return { turnMs: longest / 1_000, answersMs };
}

async function install(turn: number): Promise<void> {
  const body = JSON.stringify(definition((at) => `${longQuery(at)} // ${turn}`));
  expect(body.length).toBeGreaterThan(1_500_000);
  const answer = await fetch(`${test.service.url}/api/v2/extensions`, {
    method: 'PUT',
    headers: { authorization: test.authorization, 'content-type': 'application/json' },
    body,
  });
  expect(answer.status).toBe(200);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

it('lets no request wait more than 50 ms for the work of the service', async () => {
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
  await install(0);
  await test.settled();
  const alone = await waitsBeside(sleep(1_000));
  const beside = await waitsBeside(install(1));
  expect(beside.answersMs.length).toBeGreaterThan(5);
  // No turn of the thread that answers is longer than a request may wait for it.
  expect(beside.turnMs).toBeLessThan(MAX_WAIT_MS);
  // The half of the requests is answered as quickly as alone, but for the processor that the thread of the queries takes.
  expect(median(beside.answersMs)).toBeLessThan(median(alone.answersMs) * 3 + MAX_WAIT_MS);
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
