/** Tests that statements, connections and other clients do not wait for clients that disconnect or do not read. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RouteContract } from '@clew/api';
import { createExports, FreshCache, type HandlerTable, jsonStream } from '@clew/common';
import { openSocket, startTestServer, type TestServer } from '@clew/server/testing';
import { connectDatabase, cursorRows, type Database } from '@clew/store';
import { silentLog, startTestDatabase } from '@clew/store/testing';
import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

const route = (operationId: string, path: string): RouteContract => ({
  method: 'GET',
  path,
  operationId,
  tag: 'Test',
  summary: 'A test',
  access: 'none',
  responses: { 200: Type.Unknown() },
});

/** Slow enough that only cancellation ends it in time. */
const SLOW = 'select pg_sleep(600)::text as text';

let database: Database;
let exportsDatabase: Database;
let server: TestServer;

beforeAll(async () => {
  database = await startTestDatabase();
  exportsDatabase = connectDatabase(database.connection, silentLog, { maxConnections: 4 });
  const { slots, source } = createExports(exportsDatabase, 3);
  const rows = (sql: string, batch: number) =>
    (async function* () {
      yield '[1';
      for await (const found of cursorRows<{ text: string }>(source.pool, { sql, parameters: [] }, batch))
        yield found.map(({ text }) => `,${JSON.stringify(text)}`).join('');
      yield ']';
    })();
  let asked = 0;
  const answer = (sql: string) =>
    slots.open(`user ${asked++}`, () => ({
      status: 200,
      mediaType: 'application/json',
      stream: jsonStream(rows(sql, 50)),
    }));
  const handlers: HandlerTable = {
    Query: async () => ({ status: 200, json: (await database.pool.query(SLOW)).rows }),
    SlowExport: async () => answer(SLOW),
    LongExport: async () => answer("select repeat('x', 10000) as text from generate_series(1, 1000000)"),
    Shared: async () => ({ status: 200, json: await shared.get('key') }),
    Change: async () => {
      await database.pool.query('select pg_sleep(0.3)');
      await database.pool.query('insert into change values (1)');
      return { status: 200, json: 'changed' };
    },
    Quick: async () => ({ status: 200, json: (await database.pool.query('select 1 as one')).rows }),
  };
  const shared = new FreshCache(() => database.pool.query('select pg_sleep(0.5)').then(({ rows }) => rows));
  await database.pool.query('create table change (id integer)');
  const contracts = Object.keys(handlers).map((id) => ({
    ...route(id, `/${id.toLowerCase()}`),
    method: id === 'Change' ? ('POST' as const) : ('GET' as const),
  }));
  server = await startTestServer(contracts, handlers, { checkAnswers: false });
});
afterAll(async () => {
  await server.close();
  await exportsDatabase.close();
  await database.close();
});

/** Number of running statements, except this one. */
async function underWay(): Promise<number> {
  const { rows } = await database.pool.query(
    `select count(*)::integer as count from pg_stat_activity
     where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`,
  );
  return rows[0].count;
}

const quick = () => fetch(`${server.url}/quick`).then(({ status }) => status);

describe('a client that disconnects', () => {
  test.each(['/query', '/slowexport', '/longexport'])('ends its work: %s', async (path) => {
    const leaving = new AbortController();
    const gone = fetch(server.url + path, { signal: leaving.signal }).then((answer) => answer.text());
    gone.catch(() => {});
    await vi.waitUntil(async () => (await underWay()) === 1, { timeout: 100_000 });
    leaving.abort();
    await vi.waitUntil(async () => (await underWay()) === 0, { timeout: 100_000 });
    expect(await quick()).toBe(200);
  });

  test('leaves no connection on which another request would be canceled', async () => {
    for (let n = 0; n < 30; n++) {
      const leaving = new AbortController();
      const gone = fetch(`${server.url}/query`, { signal: leaving.signal }).catch(() => {});
      await sleep(n % 5);
      leaving.abort();
      expect(await quick()).toBe(200);
      await gone;
    }
    await vi.waitUntil(async () => (await underWay()) === 0, { timeout: 100_000 });
  });
});

describe('work shared with others', () => {
  test('continues when the first client disconnects', async () => {
    const leaving = new AbortController();
    const first = fetch(`${server.url}/shared`, { signal: leaving.signal }).catch(() => {});
    await vi.waitUntil(async () => (await underWay()) === 1, { timeout: 100_000 });
    const second = fetch(`${server.url}/shared`);
    await sleep(50);
    leaving.abort();
    expect((await second).status).toBe(200);
    await first;
  });

  test('and every started change continue: a disconnecting client must not undo half of it, nor leave no trace', async () => {
    const leaving = new AbortController();
    const gone = fetch(`${server.url}/change`, { method: 'POST', signal: leaving.signal }).catch(() => {});
    await vi.waitUntil(async () => (await underWay()) === 1, { timeout: 100_000 });
    leaving.abort();
    await gone;
    const changes = () => database.pool.query('select from change').then(({ rowCount }) => rowCount);
    await vi.waitUntil(async () => (await changes()) === 1, { timeout: 100_000 });
  });
});

describe('exports', () => {
  test('are limited in number, and readers that stop reading block no requests', async () => {
    const sockets = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const socket = await openSocket(server.url);
        socket.on('error', () => {});
        socket.write('GET /longexport HTTP/1.1\r\nHost: x\r\n\r\n');
        return socket;
      }),
    );
    const heads = await Promise.all(
      sockets.map(async (socket) => {
        const [bytes] = (await once(socket, 'data')) as [Buffer];
        socket.pause();
        return bytes.toString('latin1');
      }),
    );
    const statuses = heads.map((head) => head.slice(9, 12)).sort();
    expect(statuses).toEqual([...Array(3).fill('200'), ...Array(17).fill('503')]);
    expect(heads.find((head) => head.startsWith('HTTP/1.1 503'))).toMatch(/Retry-After: 10/i);
    for (let n = 0; n < 20; n++) expect(await quick()).toBe(200);
    for (const socket of sockets) socket.destroy();
    await vi.waitUntil(
      async () => {
        const again = await fetch(`${server.url}/longexport`);
        await again.body?.cancel();
        return again.status === 200;
      },
      { timeout: 100_000 },
    );
  });
});
