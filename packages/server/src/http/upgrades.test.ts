import { once } from 'node:events';
import type { RouteContract } from '@clew/api';
import type { HandlerTable, RequestContext } from '@clew/common';
import { afterEach, describe, expect, test } from 'vitest';
import { ADMIN, useTestServer } from '../../test/http/harness.ts';
import { openSocket, readAnswer } from '../../test/http/rawClient.ts';
import { startTestServer, userNamed } from '../../test/http/testServer.ts';
import { createInsideFetch } from './insideFetch.ts';
import { RateLimiter } from './rateLimit.ts';

const harness = useTestServer();
let reason: string | undefined;
const writesRefused = () => reason;
afterEach(() => {
  reason = undefined;
});

describe('a write whose body arrives while an upgrade begins', () => {
  test.each([
    ['/json', 'Content-Type: application/json\r\n', '{"a":1}'],
    ['/stream', '', 'a file'],
  ])('is refused before anything is stored: %s', async (path, type, body) => {
    const url = await harness.startOther({ writesRefused });
    const send = async (isUpgrade: boolean) => {
      reason = undefined;
      const socket = await openSocket(url);
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: test\r\nAuthorization: test admin\r\n${type}Content-Length: ${body.length}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`,
      );
      // The service reads the body now: the first check is over.
      const [first] = (await once(socket, 'data')) as [Buffer];
      expect(String(first)).toContain('100 Continue');
      if (isUpgrade) reason = 'an upgrade';
      socket.write(body);
      return readAnswer(socket);
    };
    expect((await send(false)).status).toBe(200);
    const committed = harness.seen.committed;
    const { status, headers, json } = await send(true);
    expect([status, headers['retry-after'], json()]).toEqual([
      503,
      '5',
      expect.objectContaining({
        errors: [{ context: 'clients', message: expect.stringContaining('an upgrade') }],
      }),
    ]);
    expect(harness.seen.committed).toBe(committed);
  });
});

describe('an error of the database', () => {
  const contract = {
    ...{ tag: 'Test', summary: 'A test', operationId: 'Fail', path: '/fail', method: 'GET', access: 'any' },
    responses: {},
  } as const satisfies RouteContract;

  test.each([
    ['a missing table', '42P01', 503],
    ['a column that must have a value', '23502', 503],
    ['a check', '23514', 503],
    ['another foreign key', '23503', 503],
    ['a prepared statement for other columns', '0A000', 503],
    ['a division by zero', '22012', 500],
    ['a statement that was canceled', '57014', 500],
  ])('that other tables explain is 503 during an upgrade: %s', async (_, code, expected) => {
    const fault = Object.assign(new Error('it failed'), { code });
    let thrown: Error = fault;
    const handlers: HandlerTable = { Fail: () => Promise.reject(thrown) };
    const server = await startTestServer([contract], handlers, { writesRefused });
    try {
      const ask = async () => {
        const answer = await fetch(`${server.url}/fail`, { headers: ADMIN });
        await answer.body?.cancel();
        return [answer.status, answer.headers.get('retry-after')];
      };
      expect(await ask()).toEqual([500, null]);
      reason = 'an upgrade';
      const answer = [expected, expected === 503 ? '5' : null];
      expect(await ask()).toEqual(answer);
      thrown = new Error('a statement failed', { cause: fault });
      expect(await ask()).toEqual(answer);
    } finally {
      await server.close();
    }
  });
});

test('operations asked from inside are refused like others', async () => {
  const called: string[] = [];
  const handlers: HandlerTable = {
    ListSavedQueries: async () => {
      called.push('list');
      return { status: 200, json: { data: [] } };
    },
    DeleteSavedQuery: async () => {
      called.push('delete');
      return { status: 204 };
    },
    GetSavedQuery: () => Promise.reject(Object.assign(new Error('it failed'), { code: '42P01' })),
  };
  const fetchAs = createInsideFetch({
    ...{ handlers: () => handlers, edition: 'enterprise', limiter: new RateLimiter(0), writesRefused },
  });
  const context = {
    ...{ requestId: 'one', principal: userNamed('admin', ['saved_queries/Read', 'saved_queries/Write']) },
    ...{ signal: new AbortController().signal, clientAddress: '192.0.2.1', publicUrl: 'http://test' },
    ...{ log: { error() {} } },
  } as unknown as RequestContext;
  const statuses = async () =>
    Promise.all(
      (
        [
          ['GET', 'saved-queries'],
          ['DELETE', 'saved-queries/1'],
        ] as const
      ).map(async ([method, path]) => {
        const answer = await fetchAs(context)(`http://test/api/v2/${path}`, { method });
        return [answer.status, answer.headers.get('retry-after')];
      }),
    );
  expect(await statuses()).toEqual([
    [200, null],
    [204, null],
  ]);
  reason = 'an upgrade';
  expect(await statuses()).toEqual([
    [200, null],
    [503, '5'],
  ]);
  expect(called).toEqual(['list', 'delete', 'list']);
  const failed = await fetchAs(context)('http://test/api/v2/saved-queries/1');
  expect(failed.status).toBe(503);
});
