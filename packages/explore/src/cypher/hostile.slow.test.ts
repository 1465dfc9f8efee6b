/** Tests queries that do not end: they block no one else, and no analysis. */
import { setTimeout as sleep } from 'node:timers/promises';
import { GraphBuilder } from '@clew/graph';
import { collection, userRecord } from '@clew/intake/testing';
import { EdgeKind, NodeKind } from '@clew/model';
import { PASSWORD, ServiceUnderTest } from '@clew/service/testing';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runSelectorQueries, SELECTOR_LIMITS, type SelectorQuery } from './selectorQueries.ts';

/** Counts to 25 billion. */
const ENDLESS = 'UNWIND range(1, 5000000) AS a UNWIND range(1, 5000) AS b WITH a WHERE a < 0 RETURN a';
const LONG = "reduce(t = 'a', i IN range(1, 23) | t + t)";
/** One query of each kind: minutes in a single step, exhausted memory, a too large answer. */
const KINDS = [
  ENDLESS,
  `RETURN ${LONG} =~ '(.*a){200}b'`,
  `WITH ${LONG} AS t UNWIND range(1, 1000) AS i RETURN count(t + i CONTAINS t + 'b' + t)`,
  'RETURN reduce(l = [1], i IN range(1, 40) | [l, l]) IN [reduce(l = [1], i IN range(1, 40) | [l, l])]',
  'RETURN size(reduce(l = [], i IN range(1, 1000) | l + [range(1, 1000000)]))',
  'UNWIND range(1, 1000) AS i RETURN range(1, 5000000)',
  `MATCH ${Array.from({ length: 4000 }, (_, at) => `(n${at})-->`).join('')}(m) RETURN m`,
  `WITH ${LONG} AS t UNWIND range(1, 1000) AS i RETURN count(replace(t + i, 'aa', 'b'))`,
];
const SELECTOR_SECONDS = 1;
const ENDLESS_SELECTOR =
  'UNWIND range(1, 5000000) AS a UNWIND range(1, 5000) AS b WITH a WHERE a < 0 MATCH (n) RETURN n';

describe('a reader with hostile queries', () => {
  const MEMORY_MIB = 512;
  let service: ServiceUnderTest;
  beforeAll(async () => {
    service = await ServiceUnderTest.start({ CLEW_CYPHER_MEMORY: `${MEMORY_MIB}MiB` }, { makesPlans: false });
    await service.data('POST', 'bloodhound-users', { principal: 'hostile', roles: [3], secret: PASSWORD });
  });
  afterAll(() => service.stop());

  const ask = (authorization: string, query: string, seconds: number, signal?: AbortSignal) =>
    fetch(`${service.service.url}/api/v2/graphs/cypher`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', prefer: `wait=${seconds}` },
      body: JSON.stringify({ query, rows: true }),
      ...(signal && { signal }),
    });

  /** @returns milliseconds of some look-ups by name, in ascending order */
  async function lookUps(authorization: string): Promise<readonly number[]> {
    const times: number[] = [];
    for (let at = 0; at < 9; at++) {
      const began = performance.now();
      const answer = await ask(authorization, "MATCH (n {name: 'NOBODY@NOWHERE'}) RETURN n", 30);
      expect(answer.status).toBe(200);
      times.push(performance.now() - began);
    }
    return times.toSorted((a, b) => a - b);
  }

  it('cannot use more than a share, and blocks no one else, whatever the queries are', async () => {
    const admin = service.authorization;
    await service.login('hostile');
    const hostile = service.authorization;
    const middle = (times: readonly number[]): number => times[times.length >> 1];
    const alone = middle(await lookUps(admin));
    // More than the cheap lane allows: three of them occupy all threads for hard queries.
    const long = 'UNWIND range(1, 300000) AS a WITH a WHERE a < 0 RETURN count(*)';
    const askAll = async (): Promise<number> => {
      const began = performance.now();
      const answers = await Promise.all([hostile, hostile, admin].map((who) => ask(who, long, 60)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      return performance.now() - began;
    };
    await askAll();
    const longAlone = await askAll();
    const before = process.memoryUsage().rss;
    let most = before;
    const watching = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss);
    }, 20);
    const attack = (queries: readonly string[]) => {
      const left = new AbortController();
      const statuses: number[] = [];
      const sent = queries.map((query) =>
        ask(hostile, query, 60, left.signal).then(
          ({ status }) => void statuses.push(status),
          () => {},
        ),
      );
      const leave = (): Promise<unknown> => {
        left.abort();
        return Promise.all(sent);
      };
      return { statuses, leave };
    };
    const tooMany = attack(new Array(40).fill(ENDLESS));
    await vi.waitUntil(() => tooMany.statuses.length >= 8, { timeout: 100_000 });
    await tooMany.leave();
    expect(tooMany.statuses).toEqual(new Array(8).fill(429));
    const mixed = attack(Array.from({ length: 32 }, (_, at) => KINDS[at % KINDS.length]));
    // Another user's look-ups are answered in the meantime: half of them within a second, all but one within three.
    const beside = await lookUps(admin);
    // Queries that fill memory also have a time limit.
    await sleep(1500);
    clearInterval(watching);
    // The clients disconnect: all threads are free again within 5 s, also for their previous user.
    await mixed.leave();
    const free = await askAll();
    // Other tests on a busy machine affect everyone, so two of nine may be delayed.
    expect(middle(beside)).toBeLessThan(1000 + 20 * alone);
    expect(beside.at(-2)).toBeLessThan(2500 + 20 * alone + 10 * longAlone);
    // One of nine may wait for the replacement of a thread that ran out of memory.
    expect(beside.at(-1)).toBeLessThan(5000 + 20 * alone + 10 * longAlone);
    expect(free).toBeLessThan(5000 + 5 * longAlone);
    // Two threads of one user and the cheap lane, each with the configured memory and a quarter of it for searches; and the service itself,
    // with 32 requests.
    expect((most - before) / 2 ** 20).toBeLessThan(3 * 1.25 * MEMORY_MIB + 256);
  });

  it('delays RETURN 1 of another by at most 5 s after the limit of two such queries', async () => {
    await service.login('admin');
    const admin = service.authorization;
    await service.login('hostile');
    const hostile = service.authorization;
    const limitSeconds = 1;
    const began = Date.now();
    const twice = [1, 2].map(() => ask(hostile, ENDLESS, limitSeconds));
    // Both are running by then.
    await sleep(500);
    const { status } = await ask(admin, 'RETURN 1', 30);
    expect(status).toBe(200);
    expect((Date.now() - began) / 1000).toBeLessThan(limitSeconds + 5);
    // They have also ended with an error, and use no resources.
    for (const answer of await Promise.all(twice)) expect(answer.status).toBeGreaterThanOrEqual(400);
    expect((Date.now() - began) / 1000).toBeLessThan(limitSeconds + 5);
    expect((await ask(hostile, 'RETURN 1', 30)).status).toBe(200);
  });

  it('gets an error with the exceeded limit', async () => {
    const answer = await ask(service.authorization, KINDS[1], 30);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('is not tested on a text of 8388608 characters');
  });
});

describe('a service whose zones have hostile selectors', () => {
  const DOMAIN = 'S-1-5-21-7-7-7';
  let service: ServiceUnderTest;
  beforeAll(async () => {
    const variables = { CLEW_SELECTOR_SECONDS: `${SELECTOR_SECONDS}`, CLEW_CYPHER_MEMORY: '256MiB' };
    service = await ServiceUnderTest.start(variables, { makesPlans: false });
  });
  afterAll(() => service.stop());

  /** @returns the final status of the job, and the seconds until then */
  async function publish(user: number) {
    const began = Date.now();
    const { id } = (await service.call('POST', 'file-upload/start')).json.data;
    const named = { Properties: { name: `USER${user}@CORP.LOCAL`, domainsid: DOMAIN } };
    const file = collection('users', userRecord(`${DOMAIN}-${user}`, named));
    expect((await service.call('POST', `file-upload/${id}`, file)).status).toBe(202);
    expect((await service.call('POST', `file-upload/${id}/end`)).status).toBe(200);
    const status = await vi.waitUntil(
      async () => {
        const [job] = await service.data('GET', `file-upload?id=eq:${id}`);
        return [2, 5, 8].includes(job.status) ? (job.status as number) : undefined;
      },
      { timeout: 100_000, interval: 100 },
    );
    return { status, seconds: (Date.now() - began) / 1000 };
  }

  it('publishes the next upload within the time limit of an infinite selector plus 30 s', async () => {
    const path = 'asset-group-tags/1/selectors';
    const seeds = [{ type: 2, value: ENDLESS_SELECTOR }];
    expect((await service.call('POST', path, { name: 'endless', seeds })).status).toBe(201);
    const { status, seconds } = await publish(1100);
    expect(status).toBe(2);
    expect(seconds).toBeLessThan(SELECTOR_SECONDS + 30);
    const { selectors } = await service.data('GET', path);
    const { id, query_error } = selectors.find((one: { name: string }) => one.name === 'endless');
    expect(query_error).toMatch(/more than [\d.]+ s|looked at/);
    expect((await service.call('DELETE', `${path}/${id}`)).status).toBe(204);
  });

  it('publishes the next upload within the time limit of all of them, and reports the failures', async () => {
    const path = 'asset-group-tags/1/selectors';
    const hostile = {
      endless: ENDLESS_SELECTOR,
      expression: `WITH ${LONG} AS t MATCH (n:User) WHERE t =~ '(.*a){800}b' RETURN n`,
      memory: 'WITH [i IN range(1, 1000) | range(1, 1000000)] AS l MATCH (n:User) WHERE size(l) > 0 RETURN n',
    };
    for (const [name, value] of Object.entries(hostile)) {
      const made = await service.call('POST', path, { name, seeds: [{ type: 2, value }] });
      expect(made.status).toBe(201);
    }
    const { status, seconds } = await publish(1101);
    expect(status).toBe(2);
    expect(seconds).toBeLessThan(2 * SELECTOR_SECONDS + 30);
    const { selectors } = await service.data('GET', path);
    const errors = Object.keys(hostile).map((name) => [
      name,
      selectors.find((one: { name: string }) => one.name === name).query_error,
    ]);
    expect(errors).toEqual([
      ['endless', expect.stringMatching(/more than [\d.]+ s|looked at|it was not run/)],
      ['expression', expect.stringContaining('is not tested on a text')],
      [
        'memory',
        expect.stringMatching(/more than the \d+ MiB|more than [\d.]+ s|more memory|it was not run/),
      ],
    ]);
    // The selector that timed out is not tried again for an upload with few changes.
    expect((await publish(1102)).status).toBe(2);
  });
});

describe('selectors', () => {
  let database: Database;
  beforeAll(async () => {
    database = await startTestDatabase();
  });
  afterAll(() => database.close());

  function graphOf(edges: number) {
    const builder = new GraphBuilder();
    for (let node = 0; node < 20; node++) {
      const objectId = `S-1-5-21-1-1-1-${1000 + node}`;
      builder.addNode({
        storeId: node + 1,
        objectId,
        name: `G${node}`,
        kinds: [NodeKind.Base, NodeKind.Group],
      });
    }
    for (let at = 0; at < edges; at++) builder.addEdge(at % 20, EdgeKind.MemberOf, (at * 3 + 1) % 20, 0);
    const none = new Map<number, string>();
    return { graph: builder.build(), customNodeKinds: none, customEdgeKinds: none, zones: [] };
  }

  const QUICK = "MATCH (n:Group) WHERE n.objectid ENDS WITH '-1007' RETURN n";
  const select = (
    selectors: readonly SelectorQuery[],
    { edges = 10, signal = new AbortController().signal, times = { selectorMs: 2_500, allMs: 20_000 } } = {},
  ) => {
    const order: (number | undefined)[] = [];
    const onSelector = async (id: number | undefined) => void order.push(id);
    // On a fast machine, the step limit would end them before the time limit.
    const limits = { ...SELECTOR_LIMITS, steps: Number.MAX_SAFE_INTEGER };
    const options = { connection: database.connection, signal, bounds: { times, limits }, onSelector };
    return runSelectorQueries(graphOf(edges), selectors, options).then((results) => ({ results, order }));
  };

  it('end at their time limit, fast ones first, and the thread serves the next one', async () => {
    const { results, order } = await select([
      { selectorId: 1, queries: [ENDLESS_SELECTOR], milliseconds: 5 },
      { selectorId: 2, queries: [QUICK], milliseconds: 9_000 },
      { selectorId: 3, queries: ['MATCH (n:Group) RETURN n.nothing.more'], milliseconds: 1 },
      { selectorId: 4, queries: [QUICK, 'MATCH (n:Group {name: "G3"}) RETURN n'], milliseconds: 2 },
    ]);
    expect(order).toEqual([3, 4, 1, 2, undefined]);
    expect(results.get(1)).toMatchObject({ error: 'it takes more than 2.5 s', timedOut: { edges: 10 } });
    expect(results.get(2)).toMatchObject({ nodes: [7], milliseconds: expect.any(Number) });
    expect(results.get(4)).toMatchObject({ nodes: expect.arrayContaining([3, 7]) });
  });

  it('are tried again only after their text or a tenth of the graph has changed', async () => {
    const times = { selectorMs: 300, allMs: 10_000 };
    const first = (await select([{ selectorId: 1, queries: [ENDLESS_SELECTOR] }], { times })).results.get(1);
    const timedOut = first !== undefined && 'timedOut' in first ? first.timedOut : undefined;
    expect(timedOut).toMatchObject({ edges: 10 });
    const again = { selectorId: 1, queries: [ENDLESS_SELECTOR], timedOut };
    const same = await select([again], { times });
    expect(same.order).toEqual([undefined]);
    expect(same.results.get(1)).toMatchObject({ error: expect.stringContaining('retried'), timedOut });
    expect((await select([again], { times, edges: 12 })).order).toEqual([1, undefined]);
    const changed = await select([{ ...again, queries: [QUICK] }], {
      times: { selectorMs: 9_000, allMs: 9_000 },
    });
    expect(changed.results.get(1)).toMatchObject({ nodes: [7] });
  });

  it('share one time limit: the remaining ones run in the next analysis', async () => {
    const hostile = [1, 2, 3, 4].map((selectorId) => ({ selectorId, queries: [ENDLESS_SELECTOR] }));
    const { results, order } = await select(hostile, { times: { selectorMs: 1_000, allMs: 1_000 } });
    expect(order).toEqual([1, undefined]);
    expect(results.get(4)).toEqual({ error: expect.stringContaining('it was not run this time') });
  });

  it('end with the analysis that requested them', async () => {
    const abort = new AbortController();
    const running = select([{ selectorId: 1, queries: [ENDLESS_SELECTOR] }], {
      signal: abort.signal,
      times: { selectorMs: 60_000, allMs: 60_000 },
    });
    setTimeout(() => abort.abort(new Error('the service is stopping')), 300);
    await expect(running).rejects.toThrow('the service is stopping');
  });
});
