/** Queries that do not end by themselves: they stop no one else, and no analysis. */
import { GraphBuilder } from '@clew/graph';
import { EdgeKind, NodeKind } from '@clew/model';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PASSWORD, ServiceUnderTest } from '../testing/serviceUnderTest.ts';
import { runSelectorQueries, type SelectorQuery } from './selectorQueries.ts';

/** A single step of the engine that takes hours: no look at a deadline happens inside of it. */
const ENDLESS = "WITH reduce(s = 'a', x IN range(1, 23) | s + s) AS b RETURN b =~ '(.*a){200}b'";
const ENDLESS_SELECTOR =
  "WITH reduce(s = 'a', x IN range(1, 23) | s + s) AS b MATCH (n:Group) WHERE b =~ '(.*a){800}b' RETURN n";

describe('a reader with hostile queries', () => {
  let service: ServiceUnderTest;
  beforeAll(async () => {
    service = await ServiceUnderTest.start();
    await service.data('POST', 'bloodhound-users', { principal: 'hostile', roles: [3], secret: PASSWORD });
  });
  afterAll(() => service.stop());

  const ask = (authorization: string, query: string, seconds: number): Promise<Response> =>
    fetch(`${service.service.url}/api/v2/graphs/cypher`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', prefer: `wait=${seconds}` },
      body: JSON.stringify({ query, rows: true }),
    });

  it('does not keep others from their answers, and is refused more than its share', async () => {
    const admin = service.authorization;
    await service.login('hostile');
    const hostile = service.authorization;
    const sent = Array.from({ length: 40 }, () => ask(hostile, ENDLESS, 2));
    const statuses = Promise.all(sent.map(async (answer) => (await answer).status));
    // While they run: a thread is left for others.
    await vi.waitUntil(async () => (await ask(admin, 'RETURN 1', 30)).status === 200, { timeout: 30_000 });
    const counts = Map.groupBy(await statuses, (status) => status);
    expect(counts.get(429)?.length).toBe(8);
    // This API answers 500 when the time of a request is over.
    expect([...counts.keys()].sort()).toEqual([429, 500]);
    // And after them, for the same user too: threads that did not end were replaced.
    expect((await ask(hostile, 'RETURN 1', 30)).status).toBe(200);
    for (let at = 0; at < 3; at++) expect((await ask(admin, 'RETURN 1', 30)).status).toBe(200);
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
    { edges = 10, signal = new AbortController().signal, times = { selectorMs: 1_500, allMs: 10_000 } } = {},
  ) => {
    const order: (number | undefined)[] = [];
    const onSelector = async (id: number | undefined) => void order.push(id);
    const options = { connection: database.connection, signal, times, onSelector };
    return runSelectorQueries(graphOf(edges), selectors, options).then((results) => ({ results, order }));
  };

  it('end after their time, quick ones first, and the thread serves the next one', async () => {
    const { results, order } = await select([
      { selectorId: 1, queries: [ENDLESS_SELECTOR], milliseconds: 5 },
      { selectorId: 2, queries: [QUICK], milliseconds: 9_000 },
      { selectorId: 3, queries: ['MATCH (n:Group) RETURN n.nothing.more'], milliseconds: 1 },
      { selectorId: 4, queries: [QUICK, 'MATCH (n:Group {name: "G3"}) RETURN n'], milliseconds: 2 },
    ]);
    expect(order).toEqual([3, 4, 1, 2, undefined]);
    expect(results.get(1)).toMatchObject({ error: 'it takes more than 1.5 s', timedOut: { edges: 10 } });
    expect(results.get(2)).toMatchObject({ nodes: [7], milliseconds: expect.any(Number) });
    expect(results.get(4)).toMatchObject({ nodes: expect.arrayContaining([3, 7]) });
  });

  it('are tried again when their text or a tenth of the graph has changed, and not before', async () => {
    const times = { selectorMs: 300, allMs: 10_000 };
    const first = (await select([{ selectorId: 1, queries: [ENDLESS_SELECTOR] }], { times })).results.get(1);
    const timedOut = first !== undefined && 'timedOut' in first ? first.timedOut : undefined;
    expect(timedOut).toMatchObject({ edges: 10 });
    const again = { selectorId: 1, queries: [ENDLESS_SELECTOR], timedOut };
    const same = await select([again], { times });
    expect(same.order).toEqual([undefined]);
    expect(same.results.get(1)).toMatchObject({ error: expect.stringContaining('tried again'), timedOut });
    expect((await select([again], { times, edges: 12 })).order).toEqual([1, undefined]);
    const changed = await select([{ ...again, queries: [QUICK] }], {
      times: { selectorMs: 9_000, allMs: 9_000 },
    });
    expect(changed.results.get(1)).toMatchObject({ nodes: [7] });
  });

  it('share one time limit: what is left over is run in the next analysis', async () => {
    const hostile = [1, 2, 3, 4].map((selectorId) => ({ selectorId, queries: [ENDLESS_SELECTOR] }));
    const { results, order } = await select(hostile, { times: { selectorMs: 800, allMs: 1_000 } });
    expect(order).toEqual([1, undefined]);
    expect(results.get(4)).toEqual({ error: expect.stringContaining('it was not run this time') });
  });

  it('end with the analysis that asks for them', async () => {
    const abort = new AbortController();
    const running = select([{ selectorId: 1, queries: [ENDLESS_SELECTOR] }], {
      signal: abort.signal,
      times: { selectorMs: 60_000, allMs: 60_000 },
    });
    setTimeout(() => abort.abort(new Error('the service is stopping')), 300);
    await expect(running).rejects.toThrow('the service is stopping');
  });
});
