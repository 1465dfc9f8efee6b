/** A server with test operations for the tests of a file, and shared expectations. */
import type { ErrorWrapper } from '@clew/api';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { RawAnswer } from './rawClient.ts';
import { type Seen, testContracts, testHandlers } from './testOperations.ts';
import { startTestServer, type TestServer } from './testServer.ts';

export const ADMIN = { authorization: 'test admin' };
export const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export interface ExpectedError {
  readonly status: number;
  readonly context?: string;
  readonly message: string | RegExp;
}

/** Checks an error: the whole wrapper, its headers, and its message. */
export function expectError(
  { status, headers, wrapper }: { status: number; headers: Headers | RawAnswer['headers']; wrapper: unknown },
  expected: ExpectedError,
): void {
  const header = (name: string) => (headers instanceof Headers ? headers.get(name) : headers[name]);
  const { http_status, timestamp, request_id, errors, ...rest } = wrapper as ErrorWrapper;
  expect(errors[0]?.message).toMatch(expected.message);
  expect(errors[0]?.context).toBe(expected.context ?? 'clients');
  expect(status).toBe(expected.status);
  expect(http_status).toBe(expected.status);
  expect(rest).toEqual({});
  expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  expect(request_id).toMatch(UUID_V4);
  expect(header('requestid')).toBe(request_id);
  expect(header('x-request-id')).toBe(request_id);
  expect(header('content-type')).toBe('application/json');
}

export interface Harness {
  readonly url: string;
  readonly logged: readonly Record<string, unknown>[];
  /** The values that handlers saw in the current test. */
  readonly seen: Seen;
  /** Another server for the current test. @returns its address */
  startOther(options: Parameters<typeof startTestServer>[2]): Promise<string>;
  expectFailure(path: string, init: RequestInit, expected: ExpectedError, url?: string): Promise<Response>;
}

/** Call it at the top of a test file. */
export function useTestServer(): Harness {
  const seen: Seen = { aborted: 0, received: 0, committed: 0, stuck: Promise.withResolvers() };
  let server: TestServer;
  const others: TestServer[] = [];
  beforeAll(async () => {
    server = await startTestServer(testContracts, testHandlers(seen));
  });
  afterAll(() => server.close());
  afterEach(async () => {
    seen.aborted = 0;
    seen.committed = 0;
    seen.received = 0;
    seen.stuck = Promise.withResolvers();
    for (const other of others.splice(0)) await other.close();
  });
  return {
    get url() {
      return server.url;
    },
    get logged() {
      return server.logged;
    },
    seen,
    async startOther(options) {
      const other = await startTestServer(testContracts, testHandlers(seen), options);
      others.push(other);
      return other.url;
    },
    async expectFailure(path, init, expected, url = server.url) {
      const answer = await fetch(url + path, init);
      expectError({ status: answer.status, headers: answer.headers, wrapper: await answer.json() }, expected);
      return answer;
    },
  };
}
