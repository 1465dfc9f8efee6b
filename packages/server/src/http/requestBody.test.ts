import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { ADMIN, expectError, useTestServer } from '../../test/http/harness.ts';
import { exchangeRaw, openSocket, type RawAnswer, readAnswer } from '../../test/http/rawClient.ts';
import { testSignature } from '../../test/http/testServer.ts';

const harness = useTestServer();

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
      expect((await exchangeRaw(harness.url, signed('GET', target, '', signature))).status).toBe(200);
      rawError(await exchangeRaw(harness.url, signed('GET', target, '', testSignature('GET', `${target}!`))));
    },
  );

  test('in absolute form are verified over path and query', async () => {
    const signature = testSignature('GET', '/guarded?x=1');
    expect(
      (await exchangeRaw(harness.url, signed('GET', 'http://host/guarded?x=1', '', signature))).status,
    ).toBe(200);
  });

  test('are verified over the raw body, before decompression', async () => {
    const body = gzipSync('{"a":1}');
    const head = (signature: string) =>
      `${signed('POST', '/json', body, signature)}\r\nContent-Type: application/json\r\nContent-Encoding: gzip`;
    expect((await exchangeRaw(harness.url, head(testSignature('POST', '/json', body)), body)).status).toBe(
      200,
    );
    rawError(await exchangeRaw(harness.url, head(testSignature('POST', '/json', '{"a":1}')), body));
  });

  test('of HEAD, and of GET with a body, are verified like any other', async () => {
    expect((await exchangeRaw(harness.url, signed('HEAD', '/guarded'))).status).toBe(200);
    expect(
      (await exchangeRaw(harness.url, signed('HEAD', '/guarded', '', testSignature('GET', '/guarded'))))
        .status,
    ).toBe(401);
    expect((await exchangeRaw(harness.url, signed('GET', '/guarded', 'body'), 'body')).status).toBe(200);
    rawError(
      await exchangeRaw(
        harness.url,
        signed('GET', '/guarded', 'body', testSignature('GET', '/guarded')),
        'body',
      ),
    );
  });

  test('without a body are verified before the handler runs', async () => {
    rawError(await exchangeRaw(harness.url, signed('POST', '/none', '', 'wrong')));
    rawError(
      await exchangeRaw(harness.url, signed('POST', '/none', 'x', testSignature('POST', '/none')), 'x'),
    );
    expect(harness.seen.committed).toBe(0);
    expect((await exchangeRaw(harness.url, signed('POST', '/none', 'x'), 'x')).status).toBe(202);
    expect(harness.seen.committed).toBe(1);
  });

  test('a streaming handler sees no end of a body with an invalid signature', async () => {
    const body = randomBytes(3_000_000);
    rawError(await exchangeRaw(harness.url, signed('POST', '/stream', body, 'wrong'), body));
    expect(harness.seen.committed).toBe(0);
    const answer = await exchangeRaw(harness.url, signed('POST', '/stream', body), body);
    expect(answer.json()).toMatchObject({ data: { size: body.length } });
    expect(harness.seen.committed).toBe(1);
  });

  test('nor if it starts reading late', async () => {
    rawError(await exchangeRaw(harness.url, signed('POST', '/stream?late=1', 'body', 'wrong'), 'body'));
    expect(harness.seen.committed).toBe(0);
  });

  test('nor if compressed data ends before the body', async () => {
    const body = Buffer.concat([gzipSync('short'), Buffer.alloc(2_000_000, 1)]);
    const head = (signature: string) =>
      `${signed('POST', '/stream', body, signature)}\r\nContent-Encoding: gzip`;
    rawError(await exchangeRaw(harness.url, head('wrong'), body));
    expect(harness.seen.committed).toBe(0);
  });

  test.each([
    ['permission', '/json', 'test guest'],
    ['body', '/json', 'test admin'],
    ['handler that gives up early', '/give-up', 'test admin'],
    ['handler that does not read at all', '/ignore', 'test admin'],
  ])('no other refusal is sent before the signature is verified: %s', async (_, path, authorization) => {
    const body = randomBytes(60_000);
    const head = (signature: string) =>
      `POST ${path} HTTP/1.1\r\nAuthorization: ${authorization}\r\nSignature: ${signature}\r\nContent-Length: ${body.length}`;
    rawError(await exchangeRaw(harness.url, head('wrong'), body));
    expect([400, 403, 404]).toContain(
      (await exchangeRaw(harness.url, head(testSignature('POST', path, body)), body)).status,
    );
  });

  test('behind a proxy that rewrites paths are verified over the target that it names', async () => {
    const url = await harness.startOther({
      originalTargetHeader: 'x-original-uri',
      trustedProxies: { count: 1 },
    });
    const head = `${signed('GET', '/guarded', '', testSignature('GET', '/prefix/guarded?x=1'))}\r\nX-Original-URI: /prefix/guarded?x=1`;
    expect((await exchangeRaw(url, head)).status).toBe(200);
    expect((await exchangeRaw(harness.url, head)).status).toBe(401);
  });
});

describe('streamed bodies', () => {
  const sizes = [0, 1, 65_536, 5_000_000];

  test.each(sizes)('of %d bytes arrive completely, chunked or not, compressed or not', async (size) => {
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
      const answer = await fetch(`${harness.url}/stream`, {
        method: 'POST',
        ...init,
        headers: { ...ADMIN, ...init.headers },
      });
      expect(await answer.json()).toMatchObject({ data: { size } });
    }
  });

  test('that break off commit nothing', async () => {
    const socket = await openSocket(harness.url);
    socket.write(
      `POST /stream HTTP/1.1\r\nHost: x\r\nAuthorization: test admin\r\nContent-Length: 1000\r\n\r\nhalf`,
    );
    await vi.waitUntil(() => harness.seen.received === 'half'.length, { timeout: 100_000 });
    socket.destroy();
    await vi.waitUntil(() => harness.logged.some(({ path, gone }) => path === '/stream' && gone === true), {
      timeout: 100_000,
    });
    expect(harness.seen.committed).toBe(0);
  });

  test('that are too large, as sent or decompressed, are refused', async () => {
    const url = await harness.startOther({ limits: { uploadBytes: 100_000 } });
    await harness.expectFailure(
      '/stream',
      { method: 'POST', body: Buffer.alloc(100_001), headers: ADMIN },
      { status: 400, message: 'the request body is larger than 100000 bytes' },
      url,
    );
    await harness.expectFailure(
      '/stream',
      {
        method: 'POST',
        body: gzipSync(Buffer.alloc(100_001)),
        headers: { ...ADMIN, 'content-encoding': 'gzip' },
      },
      { status: 400, message: 'the decompressed request body is larger than 100000 bytes' },
      url,
    );
  });

  test('may exceed the time limit while bytes arrive', async () => {
    const socket = await openSocket(harness.url);
    socket.write(
      'POST /stream HTTP/1.1\r\nHost: x\r\nConnection: close\r\nPrefer: wait=1\r\nAuthorization: test admin\r\nContent-Length: 3\r\n\r\n',
    );
    for (const byte of 'abc') {
      await new Promise((resolve) => setTimeout(resolve, 500));
      socket.write(byte);
    }
    expect((await readAnswer(socket)).status).toBe(200);
  });

  test('are requested only when they will be read', async () => {
    const head = (authorization: string) =>
      `POST /stream HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\nAuthorization: ${authorization}\r\nContent-Length: 4\r\n\r\n`;
    const refused = await openSocket(harness.url);
    refused.write(head('test guest'));
    const [first] = (await once(refused, 'data')) as [Buffer];
    expect(first.toString()).toMatch(/^HTTP\/1.1 403/);
    refused.destroy();
    const granted = await openSocket(harness.url);
    granted.write(head('test admin'));
    const [interim] = (await once(granted, 'data')) as [Buffer];
    expect(interim.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    granted.write('body');
    expect((await readAnswer(granted)).status).toBe(200);
  });

  test.each(['/give-up', '/ignore'])('that %s need not be read before the answer', async (path) => {
    const init = { method: 'POST', body: Buffer.alloc(20_000_000), headers: ADMIN };
    expect([400, 404]).toContain((await fetch(harness.url + path, init)).status);
  });

  test('of a refused request do not prevent the answer', async () => {
    await harness.expectFailure(
      '/stream',
      { method: 'POST', body: Buffer.alloc(20_000_000), headers: { authorization: 'test guest' } },
      { status: 403, message: 'not authorized' },
    );
  });
});
