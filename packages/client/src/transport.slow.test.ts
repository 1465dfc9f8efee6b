import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Script, TestServer } from '../test/testServer.ts';
import { answerJson, errorWrapper, startTestServer } from '../test/testServer.ts';
import type { RequestBody } from './body.ts';
import { ApiError, ClewClient, type ClewClientOptions, ConnectionError, TimeoutError } from './index.ts';

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
  vi.useRealTimers();
});

const credentials = { tokenId: '54623566-213a-4490-9c68-ac44c39b6590', tokenKey: 'a+key/as=text' };
const noPause = { firstPause: 1 };

async function clientFor(script: Script, options: Partial<ClewClientOptions> = {}): Promise<ClewClient> {
  server = await startTestServer(script);
  return new ClewClient({ url: server.url, credentials, retry: noPause, ...options });
}

const version = { data: { API: { current_version: 'v2', deprecated_version: 'v1' }, server_version: 'v1' } };

/** The steps of `docs/reference/api.md#signed-requests`, applied to the received request. */
function expectedSignature(request: { method: string; url: string; body: Buffer }, date: string): string {
  const d1 = createHmac('sha256', credentials.tokenKey)
    .update(request.method + request.url)
    .digest();
  const d2 = createHmac('sha256', d1).update(date.substring(0, 13)).digest();
  return createHmac('sha256', d2).update(request.body).digest('base64');
}

describe('a given fetch', () => {
  it('is called as a function, because browsers reject theirs as a method', async () => {
    const client = await clientFor((_, response) => answerJson(response, 200, version), {
      fetch: async function (this: unknown, ...request: Parameters<typeof fetch>) {
        if (this !== undefined && this !== globalThis) throw new TypeError('Illegal invocation');
        return fetch(...request);
      },
    });
    expect((await client.call('GetApiVersion')).data.server_version).toBe('v1');
  });
});

describe('signed requests', () => {
  it('cover the target exactly as it is sent, however unusual the values', async () => {
    const client = await clientFor((_, response) => answerJson(response, 200, { data: [] }));
    for (const q of ['a b&c=d', "o'hara", '100%', 'ä€😀', '%26', '#x', '[|]^`\\', '+', 'a/../b']) {
      await client.search(q);
      const request = server!.seen.at(-1)!;
      expect(new URL(request.url, server!.url).searchParams.get('q')).toBe(q);
      expect(request.headers.authorization).toBe(`svcsignature ${credentials.tokenId}`);
      expect(request.headers.signature).toBe(
        expectedSignature(request, request.headers.requestdate as string),
      );
    }
  });

  it('cover the body', async () => {
    const client = await clientFor((_, response) => answerJson(response, 200, { data: {} }));
    await client.call('CreateAuthToken', { body: { token_name: 'täst' } });
    const request = server!.seen[0];
    expect(JSON.parse(request.body.toString())).toEqual({ token_name: 'täst' });
    expect(request.headers['content-length']).toBe(String(request.body.length));
    expect(request.headers.signature).toBe(expectedSignature(request, request.headers.requestdate as string));
  });

  it('use a different scheme on demand', async () => {
    const client = await clientFor((_, response) => answerJson(response, 200, { data: [] }), {
      credentials: { ...credentials, scheme: 'bhesignature' },
    });
    await client.call('GetAvailableDomains');
    expect(server!.seen[0].headers.authorization).toBe(`bhesignature ${credentials.tokenId}`);
  });

  it('are signed again for each attempt', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2024, 4, 1, 10, 59, 59) });
    const client = await clientFor((_, response, count) => {
      vi.setSystemTime(Date.UTC(2024, 4, 1, 11, 0, 1));
      answerJson(response, count === 1 ? 500 : 200, { data: [] });
    });
    await client.call('GetAvailableDomains');
    const [first, second] = server!.seen.map((request) => request.headers);
    expect([first.requestdate, second.requestdate]).toEqual([
      '2024-05-01T10:59:59.000Z',
      '2024-05-01T11:00:01.000Z',
    ]);
    expect(second.signature).toBe(expectedSignature(server!.seen[1], second.requestdate as string));
  });
});

describe('a session', () => {
  it('is used after login', async () => {
    const login = { data: { user_id: credentials.tokenId, auth_expired: false, session_token: 'a.b.c' } };
    const client = await clientFor(
      (request, response) =>
        answerJson(response, 200, request.url === '/api/v2/login' ? login : { data: [] }),
      { credentials: undefined },
    );
    expect(await client.login('admin', 'pass word')).toEqual(login.data);
    await client.call('GetAvailableDomains');
    expect(server!.seen.map((request) => request.headers.authorization)).toEqual([undefined, 'Bearer a.b.c']);
    expect(JSON.parse(server!.seen[0].body.toString())).toEqual({
      login_method: 'secret',
      username: 'admin',
      secret: 'pass word',
    });
  });
});

describe('errors', () => {
  it('carry status, context, messages and request id', async () => {
    const client = await clientFor((_, response) =>
      answerJson(response, 400, errorWrapper(400, 'clients', 'first', 'second')),
    );
    const error = await client.call('GetAvailableDomains').catch((caught) => caught);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 400,
      context: 'clients',
      message: 'first',
      messages: ['first', 'second'],
      requestId: '54623566-213a-4490-9c68-ac44c39b6590',
    });
    expect(server!.seen).toHaveLength(1);
  });

  it.each(['', '<html>Bad gateway</html>', '{"errors":3}', 'null'])('survive the body %j', async (body) => {
    const client = await clientFor((_, response) => response.writeHead(404).end(body));
    const error = await client.call('GetAvailableDomains').catch((caught) => caught);
    expect(error).toMatchObject({ name: 'ApiError', status: 404, context: '' });
    expect(error.message).toContain('404');
  });

  it('do not follow a redirect with signed headers', async () => {
    const client = await clientFor((_, response) =>
      response.writeHead(301, { location: 'http://127.0.0.1:1/' }).end(),
    );
    await expect(client.call('Logout')).rejects.toThrow('the answer is a redirect to http://127.0.0.1:1/');
    expect(server!.seen).toHaveLength(1);
  });
});

describe('retries', () => {
  it.each([500, 502, 503, 504])('repeat a GET answered with %i', async (status) => {
    const client = await clientFor((_, response, count) =>
      count < 3 ? response.writeHead(status).end() : answerJson(response, 200, { data: [] }),
    );
    expect(await client.call('GetAvailableDomains')).toEqual({ data: [] });
    expect(server!.seen).toHaveLength(3);
  });

  it('end with the last error after the last attempt', async () => {
    const client = await clientFor((_, response) => response.writeHead(500).end(), {
      retry: { retries: 2, firstPause: 1 },
    });
    await expect(client.call('GetAvailableDomains')).rejects.toMatchObject({ status: 500 });
    expect(server!.seen).toHaveLength(3);
  });

  it('repeat a GET whose connection breaks, before or in the middle of the answer', async () => {
    const client = await clientFor((_, response, count) => {
      if (count === 1) response.destroy();
      else if (count === 2) {
        response.writeHead(200, { 'content-length': '100' }).write('{"data":');
        setTimeout(() => response.destroy(), 20);
      } else answerJson(response, 200, { data: [] });
    });
    expect(await client.call('GetAvailableDomains')).toEqual({ data: [] });
    expect(server!.seen).toHaveLength(3);
  });

  it('never repeat a POST that may have been carried out', async () => {
    const client = await clientFor((_, response) => response.writeHead(500).end());
    await expect(client.call('CreateFileUploadJob')).rejects.toMatchObject({ status: 500 });
    expect(server!.seen).toHaveLength(1);
    await server!.close();
    const broken = await clientFor((_, response) => response.destroy());
    await expect(broken.call('CreateFileUploadJob')).rejects.toBeInstanceOf(ConnectionError);
    expect(server!.seen).toHaveLength(1);
  });

  it('repeat no request that failed because of the caller or is not implemented', async () => {
    for (const status of [400, 401, 403, 404, 409, 415, 501]) {
      const client = await clientFor((_, response) => response.writeHead(status).end());
      await expect(client.call('GetAvailableDomains')).rejects.toMatchObject({ status });
      expect(server!.seen).toHaveLength(1);
      await server!.close();
    }
  });

  it('report a refused connection', async () => {
    const client = await clientFor(() => {}, { retry: { retries: 1, firstPause: 1 } });
    await server!.close();
    await expect(client.call('GetAvailableDomains')).rejects.toMatchObject({
      name: 'ConnectionError',
      code: 'ECONNREFUSED',
    });
  });

  it('stop if the caller gives up during a pause', async () => {
    const client = await clientFor((_, response) => response.writeHead(500).end(), {
      retry: { firstPause: 100_000, longestPause: 100_000 },
    });
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('enough')), 50);
    await expect(client.call('GetAvailableDomains', {}, { signal: controller.signal })).rejects.toThrow(
      'enough',
    );
    expect(server!.seen).toHaveLength(1);
  });
});

describe('a rate limit', () => {
  const tooMany = errorWrapper(429, 'middleware', 'Too many requests. Please try again later.');

  async function timed(headers: Record<string, string>): Promise<number> {
    const client = await clientFor((_, response, count) =>
      count === 1 ? answerJson(response, 429, tooMany, headers) : answerJson(response, 201, version),
    );
    const started = performance.now();
    // A POST: the limiter rejects it before anything is carried out, so repeating is safe.
    await client.call('CreateFileUploadJob');
    expect(server!.seen).toHaveLength(2);
    return performance.now() - started;
  }

  it('is waited out for the time in Retry-After', async () => {
    const [one, two] = [await timed({ 'retry-after': '1' }), await timed({ 'retry-after': '2' })];
    expect(one).toBeGreaterThan(950);
    expect(two).toBeGreaterThan(1950);
    expect(one).toBeLessThan(two);
  });

  it('is waited out until X-RateLimit-Reset', async () => {
    const reset = Math.floor(Date.now() / 1000) + 2;
    await timed({ 'x-ratelimit-reset': String(reset) });
    expect(Date.now()).toBeGreaterThanOrEqual(reset * 1000 - 20);
  });

  it('is waited out with a back-off if the service gives no time', async () => {
    // The service requests waits in full seconds.
    expect(await timed({})).toBeLessThan(await timed({ 'retry-after': '3' }));
  });

  it('is reported to the caller if the wait would be too long', async () => {
    const client = await clientFor((_, response) =>
      answerJson(response, 429, tooMany, { 'retry-after': '3600' }),
    );
    await expect(client.call('GetAvailableDomains')).rejects.toMatchObject({
      status: 429,
      context: 'middleware',
      retryAfter: 3_600_000,
    });
    expect(server!.seen).toHaveLength(1);
  });

  it('is reported to the caller if retries are off', async () => {
    const client = await clientFor((_, response) => answerJson(response, 429, tooMany), {
      retry: { retries: 0 },
    });
    await expect(client.call('GetAvailableDomains')).rejects.toMatchObject({ status: 429 });
  });
});

describe('waiting', () => {
  it('sends the time limit of the caller to the service', async () => {
    const client = await clientFor((_, response) => answerJson(response, 200, { data: [] }));
    await client.call('GetAvailableDomains', {}, { wait: 5 });
    await client.call('GetAvailableDomains', {}, { wait: -1 });
    await client.call('GetAvailableDomains');
    await client.call('GetAvailableDomains', {}, { wait: 5, layer: 'march' });
    expect(server!.seen.map((request) => request.headers.prefer)).toEqual([
      ...['wait=5', 'wait=-1', undefined, 'wait=5, layer=march'],
    ]);
  });

  it('ends with a TimeoutError', async () => {
    const client = await clientFor(() => {}, { retry: { retries: 0 } });
    await expect(client.call('GetAvailableDomains', {}, { timeout: 50 })).rejects.toBeInstanceOf(
      TimeoutError,
    );
  });

  it('ends with the reason of the signal', async () => {
    const client = await clientFor(() => {});
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('enough')), 50);
    await expect(client.call('GetAvailableDomains', {}, { signal: controller.signal })).rejects.toThrow(
      'enough',
    );
  });
});

describe('path parameters', () => {
  it('are encoded, and rejected if they would change the path', async () => {
    const client = await clientFor((_, response) => answerJson(response, 200, { data: {} }));
    await client.call('GetEntity', { params: { object_id: 'a/b?c%2F' } });
    expect(server!.seen[0].url).toBe('/api/v2/base/a%2Fb%3Fc%252F');
    for (const object_id of ['', '.', '..']) {
      await expect(client.call('GetEntity', { params: { object_id } })).rejects.toThrow(TypeError);
    }
  });
});

describe('a body that the server does not read', () => {
  it('ends after the silence, unless the server reads slowly', async () => {
    const chunk = new Uint8Array(1024 * 1024);
    const body = (count: number, pauseMs: number): RequestBody => ({
      size: count * chunk.length,
      async *chunks() {
        for (let at = 0; at < count; at++) {
          yield chunk;
          await new Promise((resolve) => setTimeout(resolve, pauseMs));
        }
      },
    });
    const send = (url: string, taken: RequestBody) =>
      new ClewClient({ url, retry: { retries: 0 } }).transport.send(
        { method: 'POST', target: '/x', body: taken, timeout: Infinity, silence: 400 },
        async () => 'read',
      );
    // It accepts the connection but reads nothing: only the buffers in between are filled.
    const deaf = createServer((socket) => void socket.pause()).listen(0, '127.0.0.1');
    await once(deaf, 'listening');
    const { port } = deaf.address() as AddressInfo;
    await expect(send(`http://127.0.0.1:${port}`, body(64, 0))).rejects.toThrow(TimeoutError);
    deaf.close();
    // It reads everything but never answers.
    server = await startTestServer(() => {});
    await expect(send(server.url, body(1, 0))).rejects.toThrow(TimeoutError);
    await server.close();
    server = await startTestServer((_, response) => answerJson(response, 200, {}));
    expect(await send(server.url, body(8, 150))).toBe('read');
  });
});
