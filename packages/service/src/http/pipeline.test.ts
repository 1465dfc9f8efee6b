import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { deflateSync, gzipSync } from 'node:zlib';
import type { ErrorWrapper } from '@clew/api';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { exchangeRaw, openSocket, type RawAnswer, readAnswer } from './testing/rawClient.ts';
import { type Seen, testContracts, testHandlers } from './testing/testOperations.ts';
import { startTestServer, type TestServer, testSignature } from './testing/testServer.ts';

const seen: Seen = { aborted: 0, committed: 0, stuck: Promise.withResolvers() };
let server: TestServer;
const others: TestServer[] = [];

beforeAll(async () => {
  server = await startTestServer(testContracts, testHandlers(seen));
});
afterAll(() => server.close());
afterEach(async () => {
  seen.aborted = 0;
  seen.committed = 0;
  seen.stuck = Promise.withResolvers();
  for (const other of others.splice(0)) await other.close();
});

async function startOther(options: Parameters<typeof startTestServer>[2]): Promise<string> {
  const other = await startTestServer(testContracts, testHandlers(seen), options);
  others.push(other);
  return other.url;
}

const ADMIN = { authorization: 'test admin' };
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Every error: the whole wrapper, its headers, and what it says. */
function expectError(
  { status, headers, wrapper }: { status: number; headers: Headers | RawAnswer['headers']; wrapper: unknown },
  expected: { status: number; context?: string; message: string | RegExp },
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

async function expectFailure(
  path: string,
  init: RequestInit,
  expected: Parameters<typeof expectError>[1],
  url = server.url,
): Promise<Response> {
  const answer = await fetch(url + path, init);
  expectError({ status: answer.status, headers: answer.headers, wrapper: await answer.json() }, expected);
  return answer;
}

describe('every answer', () => {
  test('carries a fresh request id and the security headers', async () => {
    const [a, b] = await Promise.all(
      ['/open', '/open'].map((path) => fetch(server.url + path, { headers: { 'x-request-id': 'mine' } })),
    );
    const { data } = (await a.json()) as { data: { requestId: string } };
    expect(data.requestId).toMatch(UUID_V4);
    expect(a.headers.get('requestid')).toBe(data.requestId);
    expect(a.headers.get('x-request-id')).toBe(data.requestId);
    expect(b.headers.get('requestid')).not.toBe(data.requestId);
    expect(a.headers.get('x-content-type-options')).toBe('nosniff');
    expect(a.headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(a.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(a.headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
    expect(a.headers.get('strict-transport-security')).toBeNull();
    expect(a.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('demands TLS when users reach the service over it', async () => {
    const url = await startOther({ publicUrl: 'https://clew.example.com' });
    expect((await fetch(`${url}/open`)).headers.get('strict-transport-security')).toMatch(/max-age=31536000/);
  });
});

describe('routing', () => {
  test.each(['/nothing', '/', '/open/', '/OPEN', '//open', '/open/../any', '/api/v2/search%00'])(
    '%s is unknown',
    async (path) => {
      const answer = await exchangeRaw(server.url, `GET ${path} HTTP/1.1`);
      expectError({ ...answer, wrapper: answer.json() }, { status: 404, message: 'resource not found' });
    },
  );

  test('an alias answers the same', async () => {
    expect((await fetch(`${server.url}/open-too`)).status).toBe(200);
  });

  test.each([
    ['DELETE', '/open', 'GET, HEAD'],
    ['GET', '/json', 'POST'],
    ['POST', '/things/1/x', 'GET, HEAD'],
    ['OPTIONS', '/form', 'PATCH'],
    ['PROPFIND', '/open', 'GET, HEAD'],
  ])('%s %s is the wrong method', async (method, path, allow) => {
    const answer = await exchangeRaw(server.url, `${method} ${path} HTTP/1.1\r\nContent-Length: 0`);
    expectError({ ...answer, wrapper: answer.json() }, { status: 405, message: 'method not allowed' });
    expect(answer.headers.allow).toBe(allow);
  });

  test('an unknown route with a body of an odd type is unknown', async () => {
    await expectFailure(
      '/nothing',
      { method: 'POST', body: 'x', headers: { 'content-type': 'garbage' } },
      { status: 404, message: 'resource not found' },
    );
  });

  test('HEAD answers like GET, without the body', async () => {
    const get = await fetch(`${server.url}/large`, { headers: { 'accept-encoding': 'identity' } });
    const head = await exchangeRaw(server.url, 'HEAD /large HTTP/1.1');
    expect(head.status).toBe(200);
    expect(head.headers['content-length']).toBe(get.headers.get('content-length'));
    expect(head.body).toHaveLength(0);
    const missing = await exchangeRaw(server.url, 'HEAD /nothing HTTP/1.1');
    expect(missing.status).toBe(404);
    expect(missing.body).toHaveLength(0);
  });

  test('takes the absolute form of a target', async () => {
    expect((await exchangeRaw(server.url, 'GET http://elsewhere.example/open HTTP/1.1')).status).toBe(200);
  });
});

describe('hostile requests', () => {
  const long = 'a'.repeat(10_000);

  test.each([
    ['a path of 10 kB', `GET /${long} HTTP/1.1`, 404],
    ['a parameter of 10 kB', `GET /things/1/${long}?must=1 HTTP/1.1`, 200],
    ['a query of 10 kB', `GET /open?q=${long} HTTP/1.1`, 200],
    ['a broken escape in the path', 'GET /things/1/%zz HTTP/1.1', 400],
    ['a lone percent sign', 'GET /things/1/100%?must=1 HTTP/1.1', 400],
    ['invalid UTF-8 in the path', 'GET /things/1/%ff?must=1 HTTP/1.1', 400],
    ['a broken escape in the query', 'GET /open?q=%zz HTTP/1.1', 400],
    ['invalid UTF-8 in the query', 'GET /open?q=%ff HTTP/1.1', 400],
    ['a NUL in the query', 'GET /open?q=a%00b HTTP/1.1', 400],
    ['a NUL in a parameter', 'GET /things/1/a%00b?must=1 HTTP/1.1', 400],
    ['a line break in a parameter', 'GET /things/1/a%0ab?must=1 HTTP/1.1', 400],
    ['a control character in the target', 'GET /open\x01 HTTP/1.1', 400],
    ['raw UTF-8 in the target', `GET /open?q=${Buffer.from('ü').toString('latin1')} HTTP/1.1`, 400],
    ['a blank in the target', 'GET /open x HTTP/1.1', 400],
    ['no HTTP at all', 'hello', 400],
    ['an unknown version', 'GET /open HTTP/9.9', 400],
    ['a head of 100 kB', `GET /open HTTP/1.1\r\nX-Long: ${long.repeat(10)}`, 400],
    ['two lengths', 'POST /json HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2', 400],
    ['length and chunks', 'POST /json HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked', 400],
  ])('%s', async (_, head, status) => {
    const answer = await exchangeRaw(server.url, head);
    expect(answer.status).toBe(status);
    if (status !== 200)
      expectError(
        { ...answer, wrapper: answer.json() },
        {
          status,
          message: status === 404 ? 'resource not found' : /could not be understood|too large|malformed/,
        },
      );
  });

  test('parameters are decoded once', async () => {
    const answer = await fetch(`${server.url}/things/1/a%252Fb%2Fc?must=a%2526b%2Bc+d`);
    expect(await answer.json()).toEqual({
      data: { params: { id: '1', name: 'a%2Fb/c' }, query: { must: 'a%26b+c d', skip: 0, type: 'list' } },
    });
  });
});

describe('Prefer', () => {
  test.each([
    ['wait=5', 'wait=5.00'],
    ['respond-async, wait=10', 'wait=10.00'],
    ['Wait = 7', 'wait=7.00'],
    ['wait=0', null],
  ])('%s is applied', async (prefer, applied) => {
    const answer = await fetch(`${server.url}/open`, { headers: { prefer } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('preference-applied')).toBe(applied);
  });

  test.each([
    ['wait=-1', 'failed to bypass limits: feature disabled'],
    ['wait=-2', 'incorrect bypass limit value'],
    ['wait=abc', 'parsing "abc": invalid syntax'],
    ['wait=', 'parsing "": invalid syntax'],
    ['wait=1.5', 'parsing "1.5": invalid syntax'],
    ['wait=99999999999999999999', 'out of range'],
    ['respond-async', "leave field empty or specify with : 'wait=x'"],
  ])('%s is refused before everything else', async (prefer, reason) => {
    for (const path of ['/open', '/nothing', '/guarded'])
      await expectFailure(
        path,
        { headers: { prefer } },
        { status: 400, message: `Prefer header has an invalid value: ` },
      );
    const answer = await fetch(`${server.url}/open`, { headers: { prefer } });
    expect(((await answer.json()) as ErrorWrapper).errors[0].message).toContain(reason);
  });

  test('lifts the limit where that is allowed', async () => {
    const url = await startOther({ bypassLimits: true });
    const answer = await fetch(`${url}/open`, { headers: { prefer: 'wait=-1' } });
    expect(answer.headers.get('preference-applied')).toBe('wait=-1; bypass=enabled');
  });

  test('cancels the work when the time is up', async () => {
    await expectFailure(
      '/slow',
      { headers: { prefer: 'wait=1' } },
      { status: 500, message: 'request timed out' },
    );
    expect(seen.aborted).toBe(1);
  });

  test('answers in time also for work that does not listen', async () => {
    const startedAt = Date.now();
    await expectFailure(
      '/stubborn',
      { headers: { prefer: 'wait=1' } },
      { status: 500, message: 'request timed out' },
    );
    expect(Date.now() - startedAt).toBeLessThan(3000);
  });

  test('the work is cancelled when the client hangs up', async () => {
    const socket = await openSocket(server.url);
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    setTimeout(() => socket.destroy(), 100);
    await seen.stuck.promise;
    expect(seen.aborted).toBe(1);
  });
});

describe('faults of the program', () => {
  test('are answered without telling what happened, and logged with it', async () => {
    const answer = await expectFailure(
      '/panic',
      {},
      {
        status: 500,
        message: 'an internal error has occurred that is preventing the service from servicing this request',
      },
    );
    const entry = server.logged.find(
      (line) => line.request_id === answer.headers.get('requestid') && line.err !== undefined,
    );
    expect(entry).toMatchObject({ err: { message: 'the secret is hunter2' } });
  });

  test('are answers that cannot be written, too', async () => {
    await expectFailure('/unwritable', {}, { status: 500, message: 'internal error' });
  });

  test('an answer that breaks its contract is one, in tests', async () => {
    await expectFailure('/wrong', {}, { status: 500, message: 'internal error' });
  });
});

describe('the order of refusals', () => {
  const steps: [string, string, RequestInit, Parameters<typeof expectError>[1]][] = [
    [
      'bad credentials',
      '/json',
      { headers: { authorization: 'test nobody', 'content-encoding': 'br' } },
      { status: 401, context: 'login', message: 'Unauthorized' },
    ],
    [
      'encoding',
      '/json',
      { headers: { 'content-encoding': 'br' } },
      {
        status: 415,
        message:
          'Error trying to read request: failed to create reader for br encoding: content encoding is not supported',
      },
    ],
    ['anonymous', '/json', {}, { status: 401, context: 'login', message: 'not authenticated' }],
    [
      'permission',
      '/json',
      { headers: { authorization: 'test guest' } },
      { status: 403, message: 'not authorized' },
    ],
    [
      'handler',
      '/json',
      { headers: ADMIN, body: '{}' },
      { status: 400, message: 'content type must be application/json' },
    ],
  ];

  test.each(steps)('%s', async (_, path, init, expected) => {
    await expectFailure(path, { method: 'POST', body: 'x', ...init }, expected);
  });

  test('edition comes after permission', async () => {
    const url = await startOther({ edition: 'community' });
    await expectFailure(
      '/enterprise',
      {},
      { status: 401, context: 'login', message: 'not authenticated' },
      url,
    );
    await expectFailure(
      '/enterprise',
      { headers: { authorization: 'test guest' } },
      { status: 403, message: 'not authorized' },
      url,
    );
    await expectFailure(
      '/enterprise',
      { headers: ADMIN },
      { status: 404, message: 'resource not found' },
      url,
    );
    expect((await fetch(`${server.url}/enterprise`, { headers: ADMIN })).status).toBe(200);
  });

  test('one of several permissions suffices', async () => {
    expect((await fetch(`${server.url}/guarded`, { headers: ADMIN })).status).toBe(200);
  });
});

describe('parameters', () => {
  test('are converted, with their defaults', async () => {
    const answer = await fetch(
      `${server.url}/things/7/x?must=1&skip=3&flag=True&type=graph&many=a&many=b&other=9`,
    );
    expect(await answer.json()).toEqual({
      data: {
        params: { id: '7', name: 'x' },
        query: { must: '1', skip: 3, flag: true, type: 'graph', many: ['a', 'b'] },
      },
    });
  });

  test.each([
    ['/things/x/y?must=1', 400, 'id is malformed'],
    ['/things/-1/y?must=1', 400, 'id is malformed'],
    ['/things/99999/y?must=1', 404, 'resource not found'],
    ['/things/99999999999999999999/y?must=1', 400, 'id is malformed'],
    ['/things/1/y', 400, 'missing required query parameter: must'],
    ['/things/1/y?must=', 400, 'missing required query parameter: must'],
    ['/things/1/y?must=1&must=2', 400, 'query parameter "must" is malformed: given more than once'],
    ['/things/1/y?must=1&skip=x', 400, 'query parameter "skip" is malformed: must be an integer'],
    ['/things/1/y?must=1&skip=', 400, 'query parameter "skip" is malformed: must be an integer'],
    ['/things/1/y?must=1&skip=-1', 400, 'query parameter "skip" is malformed: must be at least 0'],
    ['/things/1/y?must=1&skip=1e99', 400, 'query parameter "skip" is malformed: must be an integer'],
    ['/things/1/y?must=1&skip=99999999999999999999', 400, 'must be an integer'],
    ['/things/1/y?must=1&flag=maybe', 400, 'query parameter "flag" is malformed: must be true or false'],
    [
      '/things/1/y?must=1&type=count',
      400,
      'there are errors in the query parameters: unsupported result type for this query',
    ],
  ])('%s', async (path, status, message) => {
    await expectFailure(path, {}, { status, message });
  });
});

describe('JSON bodies', () => {
  const send = (body: RequestInit['body'], headers: Record<string, string> = {}) => ({
    method: 'POST',
    body,
    headers: { ...ADMIN, 'content-type': 'application/json', ...headers },
  });

  test.each([
    ['plain', send('{"a":1,"unknown":true}')],
    ['with a byte order mark', send('\ufeff{"a":1,"unknown":true}')],
    [
      'with parameters of the type',
      send('{"a":1,"unknown":true}', { 'content-type': 'application/json; charset=utf-8' }),
    ],
    ['gzip', send(gzipSync('{"a":1,"unknown":true}'), { 'content-encoding': 'gzip' })],
    ['x-gzip', send(gzipSync('{"a":1,"unknown":true}'), { 'content-encoding': 'X-GZIP' })],
    ['deflate', send(deflateSync('{"a":1,"unknown":true}'), { 'content-encoding': 'deflate' })],
    [
      'deflate, then gzip',
      send(gzipSync(deflateSync('{"a":1,"unknown":true}')), { 'content-encoding': 'deflate, gzip' }),
    ],
  ])('%s', async (_, init) => {
    const answer = await fetch(`${server.url}/json`, init);
    expect(await answer.json()).toEqual({ data: { a: 1, unknown: true } });
  });

  test.each([
    ['empty', send(''), 'request body is empty'],
    ['no JSON', send('{"a":'), 'error unmarshalling JSON payload'],
    ['invalid UTF-8', send(Buffer.from([0x22, 0xff, 0x22])), 'error unmarshalling JSON payload'],
    [
      'another type',
      send('{"a":1}', { 'content-type': 'text/plain' }),
      'content type must be application/json',
    ],
    ['a field of another type', send('{"a":"1"}'), /^request body is invalid: \/a must be integer/],
    ['a missing field', send('{}'), /^request body is invalid: must have required properties a/],
    ['no object', send('[]'), /^request body is invalid: must be object/],
    [
      'a NUL character',
      send('{"a":1,"b":"x\\u0000"}'),
      'request body is invalid: a text holds a NUL character',
    ],
    ['nested deep', send('['.repeat(5_000_000)), 'request body is invalid: it is nested too deep'],
    ['nested deep in objects', send('{"a":'.repeat(65)), 'request body is invalid: it is nested too deep'],
    [
      'too large',
      send(`{"a":1,"b":"${'x'.repeat(10 * 1024 * 1024)}"}`),
      'could not decode limited payload request into value',
    ],
    [
      'a bomb',
      send(gzipSync(Buffer.alloc(50 * 1024 * 1024)), { 'content-encoding': 'gzip' }),
      'could not decode limited payload request into value',
    ],
    [
      'no gzip',
      send('{"a":1}', { 'content-encoding': 'gzip' }),
      /^Error trying to read request: failed to create reader for gzip encoding: /,
    ],
    [
      'truncated gzip',
      send(gzipSync(randomBytes(5000)).subarray(0, 3000), { 'content-encoding': 'gzip' }),
      /^Error trying to read request: failed to create reader for gzip encoding: /,
    ],
  ])('%s is refused', async (_, init, message) => {
    await expectFailure('/json', init as RequestInit, { status: 400, message });
  });

  test.each(['br', 'zstd', 'gzip, br', 'gzip, gzip, gzip, gzip'])(
    'the encoding %s is unknown',
    async (encoding) => {
      await expectFailure('/json', send('x', { 'content-encoding': encoding }), {
        status: 415,
        message: 'content encoding is not supported',
      });
    },
  );

  test('are limited to what the route takes', async () => {
    const body = (size: number) => send(`{"a":1,"b":"${'x'.repeat(size)}"}`);
    expect((await fetch(`${server.url}/small`, body(900))).status).toBe(200);
    await expectFailure('/small', body(1100), {
      status: 400,
      message: 'could not decode limited payload request into value: the body is larger than 1000 bytes',
    });
  });

  test('a bomb inside a bomb is refused', async () => {
    const inner = gzipSync(Buffer.alloc(50 * 1024 * 1024));
    await expectFailure('/json', send(gzipSync(inner), { 'content-encoding': 'gzip, gzip' }), {
      status: 400,
      message: 'could not decode limited payload',
    });
  });

  test('brackets inside of texts are no nesting', async () => {
    const answer = await fetch(`${server.url}/json`, send(`{"a":1,"b":"\\"${'['.repeat(100)}"}`));
    expect(answer.status).toBe(200);
  });

  test('a literal backslash before u0000 is no NUL', async () => {
    const answer = await fetch(`${server.url}/json`, send('{"a":1,"b":"\\\\u0000"}'));
    expect(answer.status).toBe(200);
  });

  test('a content type on GET is accepted', async () => {
    expect(
      (await fetch(`${server.url}/open`, { headers: { 'content-type': 'application/json' } })).status,
    ).toBe(200);
  });

  test('an unexpected body is ignored', async () => {
    expect(
      (await fetch(`${server.url}/none`, { method: 'POST', body: 'x'.repeat(100_000), headers: ADMIN }))
        .status,
    ).toBe(202);
  });
});

describe('forms', () => {
  test('arrive as fields and files', async () => {
    const form = new FormData();
    form.set('name', 'ü');
    form.set('metadata', new File(['<xml/>'], 'idp.xml', { type: 'application/xml' }));
    const answer = await fetch(`${server.url}/form`, { method: 'PATCH', body: form, headers: ADMIN });
    expect(await answer.json()).toEqual({
      data: [
        ['name', 'ü'],
        ['metadata', 'idp.xml'],
      ],
    });
  });

  test('may be JSON', async () => {
    const answer = await fetch(`${server.url}/form`, {
      method: 'PATCH',
      body: '{"name":"x"}',
      headers: { ...ADMIN, 'content-type': 'application/json' },
    });
    expect(await answer.json()).toEqual({ data: { name: 'x' } });
  });

  test('are refused when they cannot be read', async () => {
    await expectFailure(
      '/form',
      { method: 'PATCH', body: 'x', headers: { ...ADMIN, 'content-type': 'multipart/form-data' } },
      { status: 400, message: 'request body is invalid: the form cannot be read' },
    );
  });
});

describe('signed requests', () => {
  const signed = (
    method: string,
    target: string,
    body: Uint8Array | string = '',
    signature = testSignature(method, target, body),
  ) =>
    `${method} ${target} HTTP/1.1\r\nAuthorization: test admin\r\nSignature: ${signature}\r\nContent-Length: ${body.length}`;
  const rawError = (answer: RawAnswer, message = 'Unauthorized') =>
    expectError({ ...answer, wrapper: answer.json() }, { status: 401, context: 'login', message });

  test.each(['/guarded?b=2&a=%7e%7E&&x', '/guarded?q=a+b%20c', '/%67uarded?'])(
    'are verified over the raw target: %s',
    async (target) => {
      const signature = testSignature('GET', target);
      expect((await exchangeRaw(server.url, signed('GET', target, '', signature))).status).toBe(200);
      rawError(await exchangeRaw(server.url, signed('GET', target, '', testSignature('GET', `${target}!`))));
    },
  );

  test('in absolute form are verified over path and query', async () => {
    const signature = testSignature('GET', '/guarded?x=1');
    expect(
      (await exchangeRaw(server.url, signed('GET', 'http://host/guarded?x=1', '', signature))).status,
    ).toBe(200);
  });

  test('are verified over the raw body, before it is decompressed', async () => {
    const body = gzipSync('{"a":1}');
    const head = (signature: string) =>
      `${signed('POST', '/json', body, signature)}\r\nContent-Type: application/json\r\nContent-Encoding: gzip`;
    expect((await exchangeRaw(server.url, head(testSignature('POST', '/json', body)), body)).status).toBe(
      200,
    );
    rawError(await exchangeRaw(server.url, head(testSignature('POST', '/json', '{"a":1}')), body));
  });

  test('of HEAD and of GET with a body are verified like any other', async () => {
    expect((await exchangeRaw(server.url, signed('HEAD', '/guarded'))).status).toBe(200);
    expect(
      (await exchangeRaw(server.url, signed('HEAD', '/guarded', '', testSignature('GET', '/guarded'))))
        .status,
    ).toBe(401);
    expect((await exchangeRaw(server.url, signed('GET', '/guarded', 'body'), 'body')).status).toBe(200);
    rawError(
      await exchangeRaw(
        server.url,
        signed('GET', '/guarded', 'body', testSignature('GET', '/guarded')),
        'body',
      ),
    );
  });

  test('without a body are verified before the handler runs', async () => {
    rawError(await exchangeRaw(server.url, signed('POST', '/none', '', 'wrong')));
    rawError(
      await exchangeRaw(server.url, signed('POST', '/none', 'x', testSignature('POST', '/none')), 'x'),
    );
    expect(seen.committed).toBe(0);
    expect((await exchangeRaw(server.url, signed('POST', '/none', 'x'), 'x')).status).toBe(202);
    expect(seen.committed).toBe(1);
  });

  test('a streaming handler sees no end of a body whose signature does not fit', async () => {
    const body = randomBytes(3_000_000);
    rawError(await exchangeRaw(server.url, signed('POST', '/stream', body, 'wrong'), body));
    expect(seen.committed).toBe(0);
    const answer = await exchangeRaw(server.url, signed('POST', '/stream', body), body);
    expect(answer.json()).toMatchObject({ data: { size: body.length } });
    expect(seen.committed).toBe(1);
  });

  test('nor when it begins to read late', async () => {
    rawError(await exchangeRaw(server.url, signed('POST', '/stream?late=1', 'body', 'wrong'), 'body'));
    expect(seen.committed).toBe(0);
  });

  test('nor when compressed data ends before the body does', async () => {
    const body = Buffer.concat([gzipSync('short'), Buffer.alloc(2_000_000, 1)]);
    const head = (signature: string) =>
      `${signed('POST', '/stream', body, signature)}\r\nContent-Encoding: gzip`;
    rawError(await exchangeRaw(server.url, head('wrong'), body));
    expect(seen.committed).toBe(0);
  });

  test.each([
    ['permission', '/json', 'test guest'],
    ['body', '/json', 'test admin'],
    ['handler that gives up early', '/give-up', 'test admin'],
    ['handler that does not read at all', '/ignore', 'test admin'],
  ])('no other refusal is told before the signature is checked: %s', async (_, path, authorization) => {
    const body = randomBytes(1_000_000);
    const head = (signature: string) =>
      `POST ${path} HTTP/1.1\r\nAuthorization: ${authorization}\r\nSignature: ${signature}\r\nContent-Length: ${body.length}`;
    rawError(await exchangeRaw(server.url, head('wrong'), body));
    expect([400, 403, 404]).toContain(
      (await exchangeRaw(server.url, head(testSignature('POST', path, body)), body)).status,
    );
  });

  test('behind a proxy that rewrites paths are verified over the target it tells', async () => {
    const url = await startOther({ originalTargetHeader: 'x-original-uri', trustedProxies: { count: 1 } });
    const head = `${signed('GET', '/guarded', '', testSignature('GET', '/prefix/guarded?x=1'))}\r\nX-Original-URI: /prefix/guarded?x=1`;
    expect((await exchangeRaw(url, head)).status).toBe(200);
    expect((await exchangeRaw(server.url, head)).status).toBe(401);
  });
});

describe('streamed bodies', () => {
  const sizes = [0, 1, 65_536, 5_000_000];

  test.each(sizes)('of %d bytes arrive whole, chunked or not, compressed or not', async (size) => {
    const body = randomBytes(size);
    const chunked = new ReadableStream({
      start(controller) {
        for (let at = 0; at < size; at += 100_000) controller.enqueue(body.subarray(at, at + 100_000));
        controller.close();
      },
    });
    const inits: RequestInit[] = [
      { body },
      { body: chunked, duplex: 'half' } as RequestInit,
      { body: gzipSync(body), headers: { 'content-encoding': 'gzip' } },
    ];
    for (const init of inits) {
      const answer = await fetch(`${server.url}/stream`, {
        method: 'POST',
        ...init,
        headers: { ...ADMIN, ...init.headers },
      });
      expect(await answer.json()).toMatchObject({ data: { size } });
    }
  });

  test('that break off commit nothing', async () => {
    const socket = await openSocket(server.url);
    socket.write(
      `POST /stream HTTP/1.1\r\nHost: x\r\nAuthorization: test admin\r\nContent-Length: 1000\r\n\r\nhalf`,
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(seen.committed).toBe(0);
  });

  test('that are too large, as sent or decompressed, are refused', async () => {
    const url = await startOther({ uploadBytes: 100_000, decodedBytes: 200_000 });
    await expectFailure(
      '/stream',
      { method: 'POST', body: Buffer.alloc(100_001), headers: ADMIN },
      { status: 400, message: 'the request body is larger than 100000 bytes' },
      url,
    );
    await expectFailure(
      '/stream',
      {
        method: 'POST',
        body: gzipSync(Buffer.alloc(200_001)),
        headers: { ...ADMIN, 'content-encoding': 'gzip' },
      },
      { status: 400, message: 'the decompressed request body is larger than 200000 bytes' },
      url,
    );
  });

  test('take longer than the time limit, as long as bytes come', async () => {
    const socket = await openSocket(server.url);
    socket.write(
      'POST /stream HTTP/1.1\r\nHost: x\r\nConnection: close\r\nPrefer: wait=1\r\nAuthorization: test admin\r\nContent-Length: 3\r\n\r\n',
    );
    for (const byte of 'abc') {
      await new Promise((resolve) => setTimeout(resolve, 500));
      socket.write(byte);
    }
    expect((await readAnswer(socket)).status).toBe(200);
  });

  test('are asked for only when they will be read', async () => {
    const head = (authorization: string) =>
      `POST /stream HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\nAuthorization: ${authorization}\r\nContent-Length: 4\r\n\r\n`;
    const refused = await openSocket(server.url);
    refused.write(head('test guest'));
    const [first] = (await once(refused, 'data')) as [Buffer];
    expect(first.toString()).toMatch(/^HTTP\/1.1 403/);
    refused.destroy();
    const granted = await openSocket(server.url);
    granted.write(head('test admin'));
    const [interim] = (await once(granted, 'data')) as [Buffer];
    expect(interim.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    granted.write('body');
    expect((await readAnswer(granted)).status).toBe(200);
  });

  test.each(['/give-up', '/ignore'])('that %s need not be read to be answered', async (path) => {
    const init = { method: 'POST', body: Buffer.alloc(20_000_000), headers: ADMIN };
    expect([400, 404]).toContain((await fetch(server.url + path, init)).status);
  });

  test('of a refused request do not cost the client its answer', async () => {
    await expectFailure(
      '/stream',
      { method: 'POST', body: Buffer.alloc(20_000_000), headers: { authorization: 'test guest' } },
      { status: 403, message: 'not authorized' },
    );
  });
});

describe('compression of answers', () => {
  const encodingOf = async (path: string, acceptEncoding: string) =>
    (await exchangeRaw(server.url, `GET ${path} HTTP/1.1\r\nAccept-Encoding: ${acceptEncoding}`)).headers[
      'content-encoding'
    ];

  test.each([
    ['gzip', 'gzip'],
    ['br, gzip;q=0.5', 'gzip'],
    ['*', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip;q=0', undefined],
    ['*, gzip;q=0', undefined],
    ['*;q=0', undefined],
    ['identity', undefined],
    ['', undefined],
  ])('for Accept-Encoding %s', async (acceptEncoding, expected) => {
    expect(await encodingOf('/large', acceptEncoding)).toBe(expected);
    expect(await encodingOf('/csv', acceptEncoding)).toBe(expected);
  });

  test('leaves small and empty answers alone', async () => {
    expect(await encodingOf('/open', 'gzip')).toBeUndefined();
    const empty = await exchangeRaw(server.url, 'GET /empty HTTP/1.1\r\nAccept-Encoding: gzip');
    expect(empty.headers['content-encoding']).toBeUndefined();
    expect(empty.body).toHaveLength(0);
  });

  test('changes nothing in the content', async () => {
    expect(await (await fetch(`${server.url}/large`)).json()).toEqual({ data: 'x'.repeat(100_000) });
    expect(await (await fetch(`${server.url}/csv`)).text()).toBe(`a,b\n${'1,2\n'.repeat(1000)}`);
  });
});

describe('rate limits', () => {
  const statuses = async (
    count: number,
    url: string,
    path: string,
    headers: Record<string, string>,
    method = 'GET',
  ) => {
    const answers = await Promise.all(
      Array.from({ length: count }, () => fetch(url + path, { headers, method })),
    );
    return { answers, refused: answers.filter(({ status }) => status === 429).length };
  };

  /** Far from the end of a window, so that a burst falls into one. */
  const windowStart = () => new Promise((resolve) => setTimeout(resolve, 1000 - (Date.now() % 1000)));

  test('answer 429 in the wrapper, with headers', async () => {
    const url = await startOther({ rateLimit: 3 });
    await windowStart();
    const { answers, refused } = await statuses(5, url, '/any', ADMIN);
    expect(refused).toBe(2);
    const answer = answers.find(({ status }) => status === 429) as Response;
    expectError(
      { status: 429, headers: answer.headers, wrapper: await answer.json() },
      { status: 429, context: 'middleware', message: 'Too many requests. Please try again later.' },
    );
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.headers.get('x-ratelimit-limit')).toBe('3');
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(Number(answer.headers.get('x-ratelimit-reset'))).toBeGreaterThanOrEqual(
      Math.floor(Date.now() / 1000),
    );
    expect(answers.find(({ status }) => status === 200)?.headers.get('x-ratelimit-limit')).toBeNull();
    await windowStart();
    expect((await statuses(1, url, '/any', ADMIN)).refused).toBe(0);
  });

  test('count principals apart, and failed credentials together', async () => {
    const url = await startOther({ rateLimit: 3 });
    await windowStart();
    expect((await statuses(3, url, '/any', ADMIN)).refused).toBe(0);
    expect((await statuses(3, url, '/any', { authorization: 'test other' })).refused).toBe(0);
    expect((await statuses(2, url, '/any', {})).refused).toBe(0);
    expect((await statuses(2, url, '/any', { authorization: 'test nobody' })).refused).toBe(1);
  });

  test('turn floods of wrong credentials away before looking at them', async () => {
    const url = await startOther({ rateLimit: 2 });
    await windowStart();
    expect((await statuses(8, url, '/any', { authorization: 'test nobody' })).refused).toBe(6);
    expect((await statuses(1, url, '/any', ADMIN)).refused).toBe(1);
  });

  test('allow one login a second', async () => {
    const url = await startOther({ rateLimit: 50 });
    await windowStart();
    expect((await statuses(3, url, '/login', {}, 'POST')).refused).toBe(2);
  });

  test('leave exempt routes alone', async () => {
    const url = await startOther({ rateLimit: 1 });
    expect((await statuses(5, url, '/stream', ADMIN, 'POST')).refused).toBe(0);
  });

  test('are off at 0', async () => {
    expect((await statuses(100, server.url, '/any', ADMIN)).refused).toBe(0);
    expect((await statuses(5, server.url, '/login', {}, 'POST')).refused).toBe(0);
  });
});

describe('cross-origin requests', () => {
  const origin = 'https://portal.example.com';
  const preflight = (url: string, from: string) =>
    fetch(`${url}/json`, {
      method: 'OPTIONS',
      headers: { origin: from, 'access-control-request-method': 'PATCH' },
    });

  test('are not allowed by default', async () => {
    const answer = await fetch(`${server.url}/open`, { headers: { origin } });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect((await preflight(server.url, origin)).status).toBe(405);
  });

  test('are allowed to configured origins only', async () => {
    const url = await startOther({ corsOrigins: [origin] });
    const allowed = await preflight(url, origin);
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('access-control-allow-origin')).toBe(origin);
    expect(allowed.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(allowed.headers.get('access-control-allow-headers')).toMatch(/RequestDate.*Signature.*Prefer/);
    expect(allowed.headers.get('access-control-allow-credentials')).toBe('true');
    const answer = await fetch(`${url}/open`, { headers: { origin } });
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    expect(answer.headers.get('vary')).toContain('Origin');
    const stranger = await preflight(url, 'https://evil.example.com');
    expect(stranger.status).toBe(405);
    expect(stranger.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('the log', () => {
  test('has one line a request, without query and credentials', async () => {
    const answer = await fetch(`${server.url}/guarded?q=private`, {
      headers: { authorization: 'test admin', signature: testSignature('GET', '/guarded?q=private') },
    });
    await answer.arrayBuffer();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const lines = server.logged.filter((line) => line.request_id === answer.headers.get('requestid'));
    expect(lines).toEqual([
      expect.objectContaining({
        method: 'GET',
        path: '/guarded',
        operation: 'Guarded',
        status: 200,
        principal: 'admin',
        client: '127.0.0.1',
      }),
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/private|signature/i);
  });
});

describe('closing', () => {
  test('lets requests under way finish, and cuts what takes too long', async () => {
    const other = await startTestServer(testContracts, testHandlers(seen));
    const slow = fetch(`${other.url}/slow`, { headers: { prefer: 'wait=1' } });
    const stuck = fetch(`${other.url}/stubborn`).then(
      () => 'answered',
      () => 'cut',
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    await other.server.close(2000);
    expect((await slow).status).toBe(500);
    expect(await stuck).toBe('cut');
  });
});
