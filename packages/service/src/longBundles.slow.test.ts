/** Tests that installing a bundle with many long queries delays no other request. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ServiceUnderTest } from '../test/serviceUnderTest.ts';

const MAX_WAIT_MS = 50;
const SEARCHES = 120;

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

/** CPU time of the service's thread, in microseconds. */
const worked = (): number => {
  const { user, system } = process.threadCpuUsage();
  return user + system;
};

/**
 * Measures how long others wait while `work` runs: sends small requests one after the other, and measures the CPU time of the thread
 * between two turns of its event loop. A wait consists of the service's own work before the request, and of other load on the machine. So
 * the service's work is limited by CPU time, and the requests are compared by wall-clock time with an idle period in the same minute.
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
  expect(body.length).toBeGreaterThan(600_000);
  const answer = await fetch(`${test.service.url}/api/v2/extensions`, {
    method: 'PUT',
    headers: { authorization: test.authorization, 'content-type': 'application/json' },
    body,
  });
  expect(answer.status).toBe(200);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

it("delays no request by more than 50 ms of the service's work", async () => {
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
  // No turn of the answering thread is longer than a request may wait.
  expect(beside.turnMs).toBeLessThan(MAX_WAIT_MS);
  // Half of the requests are answered as fast as when idle, except for the CPU time of the query thread.
  expect(median(beside.answersMs)).toBeLessThan(median(alone.answersMs) * 3 + MAX_WAIT_MS);
  const { count } = (await test.call('GET', 'saved-queries?scope=public&limit=1')).json;
  expect(count).toBe(SEARCHES);
}, 120_000);

it('reports each unusable query with its position', async () => {
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
