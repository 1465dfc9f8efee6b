import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { ADMIN, expectError, useTestServer } from '../../test/http/harness.ts';
import { exchangeRaw, openSocket, parseAnswer } from '../../test/http/rawClient.ts';
import { testSignature, unprovenDirectory } from '../../test/http/testServer.ts';
import { MAX_UNPROVEN_REQUESTS, UnprovenBodies } from './unprovenBodies.ts';

const harness = useTestServer();
const MIB = 1024 * 1024;
const directory = join(tmpdir(), `clew-unproven-test-${process.pid}`);

afterAll(() => rm(directory, { recursive: true, force: true }));

const LIMITS = {
  addressBytes: 100_000,
  totalBytes: 150_000,
  addressRequests: 3,
  totalRequests: 4,
  freeBytes: 1,
};

async function contentOf(body: { read(): AsyncIterable<Buffer> }): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body.read()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('unverified bodies', () => {
  test.each([0, 1, 65_536, 65_537, 99_999])('of %d bytes are returned unchanged', async (size) => {
    const bodies = new UnprovenBodies(directory, LIMITS);
    await using body = bodies.enter('a', 0);
    const bytes = Buffer.alloc(size, 'abcdefg');
    for (let at = 0; at < size; at += 7000) await body.write(bytes.subarray(at, at + 7000));
    expect((await contentOf(body)).equals(bytes)).toBe(true);
    expect(bodies.bytes).toBe(size);
    // Unlinked files: a killed process leaves nothing behind.
    expect(await readdir(directory).catch(() => [])).toEqual([]);
  });

  test('are limited by address and in total, and release their space', async () => {
    const bodies = new UnprovenBodies(directory, LIMITS);
    {
      await using first = bodies.enter('a', 0);
      await first.write(Buffer.alloc(90_000));
      await using second = bodies.enter('a', 0);
      await expect(second.write(Buffer.alloc(20_000))).rejects.toMatchObject({ status: 429 });
      await using other = bodies.enter('b', 0);
      await other.write(Buffer.alloc(50_000));
      await expect(other.write(Buffer.alloc(20_000))).rejects.toMatchObject({ status: 503 });
      await expect(first.write(Buffer.alloc(20_000))).rejects.toMatchObject({ status: 413 });
    }
    expect(bodies.bytes).toBe(0);
    await using again = bodies.enter('a', 0);
    await again.write(Buffer.alloc(100_000));
  });

  test('are limited in number, and refused if announced as too large', async () => {
    const bodies = new UnprovenBodies(directory, LIMITS);
    expect(() => bodies.enter('a', 100_001)).toThrow(expect.objectContaining({ status: 413 }));
    const held = [1, 2, 3].map(() => bodies.enter('a', 0));
    expect(() => bodies.enter('a', 0)).toThrow(expect.objectContaining({ status: 429 }));
    held.push(bodies.enter('b', 0));
    expect(() => bodies.enter('c', 0)).toThrow(expect.objectContaining({ status: 503 }));
    for (const body of held) await body[Symbol.asyncDispose]();
    bodies.enter('c', 0);
  });

  test('leave some disk space free', async () => {
    const bodies = new UnprovenBodies(directory, { ...LIMITS, freeBytes: Number.MAX_SAFE_INTEGER });
    await using body = bodies.enter('a', 0);
    await expect(body.write(Buffer.alloc(70_000))).rejects.toMatchObject({ status: 507 });
  });
});

describe('a forged signature', () => {
  const head = (length: string) =>
    `POST /stream HTTP/1.1\r\nHost: x\r\nAuthorization: test admin\r\nSignature: forged\r\n${length}\r\n\r\n`;

  test('on an infinite body is aborted at the limit, and nothing of it reaches the handler or the disk', async () => {
    const socket = await openSocket(harness.url);
    socket.on('error', () => {});
    socket.write(head('Transfer-Encoding: chunked'));
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536), Buffer.from('\r\n')]);
    let sent = 0;
    const sending = setInterval(() => {
      while (socket.writable && sent < 64 * MIB && socket.write(chunk)) sent += 65_536;
    }, 1);
    // The server reads the rest of the body, so that the answer is not lost.
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    clearInterval(sending);
    socket.destroy();
    const answer = parseAnswer(bytes);
    expect(sent).toBeLessThan(40 * MIB);
    expectError(
      { ...answer, wrapper: answer.json() },
      { status: 413, message: /^the body of a signed request can have up to 16777216 bytes/ },
    );
    expect(harness.seen.received).toBe(0);
    const left = await readdir(unprovenDirectory).catch(() => []);
    expect(left).toEqual([]);
  });

  test('on a body that is announced as too large is refused before its first byte', async () => {
    const answer = await exchangeRaw(
      harness.url,
      `POST /stream HTTP/1.1\r\nAuthorization: test admin\r\nSignature: forged\r\nContent-Length: ${17 * MIB}`,
    );
    expect(answer.status).toBe(413);
  });

  test('reaches no decoder, whatever the body would become', async () => {
    const bomb = gzipSync(Buffer.alloc(60 * MIB));
    const answer = await exchangeRaw(
      harness.url,
      `POST /stream HTTP/1.1\r\nAuthorization: test admin\r\nSignature: forged\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}`,
      bomb,
    );
    expect(answer.status).toBe(401);
    expect(harness.seen.received).toBe(0);
  });

  test('is not logged with the claimed name', async () => {
    await exchangeRaw(
      harness.url,
      'POST /none HTTP/1.1\r\nAuthorization: test admin\r\nSignature: forged\r\nX-Marked: 1',
    );
    await vi.waitUntil(() => harness.logged.some(({ path, status }) => path === '/none' && status === 401), {
      timeout: 100_000,
    });
    const lines = harness.logged.filter(({ path, status }) => path === '/none' && status === 401);
    expect(lines.map(({ principal }) => principal)).toEqual(lines.map(() => undefined));
  });

  test('does not reduce the requests of the token owner', async () => {
    const url = await harness.startOther({ rateLimit: 10 });
    const forged = Array.from({ length: 30 }, () =>
      exchangeRaw(url, 'GET /any HTTP/1.1\r\nAuthorization: test admin\r\nSignature: forged'),
    );
    const statuses = (await Promise.all(forged)).map(({ status }) => status);
    expect(statuses.every((status) => status === 401 || status === 429)).toBe(true);
    const honest = Array.from({ length: 10 }, () =>
      exchangeRaw(
        url,
        `GET /any HTTP/1.1\r\nAuthorization: test admin\r\nSignature: ${testSignature('GET', '/any')}`,
      ),
    );
    expect((await Promise.all(honest)).map(({ status }) => status)).toEqual(Array(10).fill(200));
  });

  test("that is not verified because of the body's encoding counts for its address", async () => {
    const url = await harness.startOther({ rateLimit: 3 });
    const forged = Array.from({ length: 30 }, () =>
      exchangeRaw(
        url,
        'GET /any HTTP/1.1\r\nAuthorization: test admin\r\nSignature: forged\r\nContent-Encoding: br',
      ),
    );
    const statuses = (await Promise.all(forged)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([415, 429]));
  });

  test('with delayed bodies uses slots of its address only, and is limited in number', async () => {
    const url = await harness.startOther({ trustedProxies: { count: 1 } });
    const withheld = await Promise.all(
      Array.from({ length: MAX_UNPROVEN_REQUESTS.address }, async () => {
        const socket = await openSocket(url);
        socket.on('error', () => {});
        socket.write(
          `POST /stream HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.1\r\nAuthorization: test admin\r\nSignature: forged\r\nContent-Length: 1000\r\n\r\nbegin`,
        );
        return socket;
      }),
    );
    const from = (address: string) =>
      exchangeRaw(
        url,
        `POST /stream HTTP/1.1\r\nX-Forwarded-For: ${address}\r\nAuthorization: test admin\r\nSignature: ${testSignature('POST', '/stream', 'x')}\r\nContent-Length: 1`,
        'x',
      );
    const withoutBody = () =>
      exchangeRaw(
        url,
        `POST /none HTTP/1.1\r\nX-Forwarded-For: 192.0.2.1\r\nAuthorization: test admin\r\nSignature: ${testSignature('POST', '/none')}`,
      );
    await vi.waitUntil(async () => (await from('192.0.2.1')).status === 429, { timeout: 100_000 });
    expect((await from('192.0.2.2')).status).toBe(200);
    // There is nothing to buffer.
    expect((await withoutBody()).status).toBe(202);
    for (const socket of withheld) socket.destroy();
    await vi.waitUntil(async () => (await from('192.0.2.1')).status === 200, { timeout: 100_000 });
  });
});

describe('a verified body', () => {
  test('that expands more than allowed is refused while streaming', async () => {
    const url = await harness.startOther({ limits: { archiveRatio: 100 } });
    await harness.expectFailure(
      '/stream',
      {
        method: 'POST',
        body: gzipSync(Buffer.alloc(60 * MIB)),
        headers: { ...ADMIN, 'content-encoding': 'gzip' },
      },
      { status: 400, message: /grows to more than 100 times/ },
      url,
    );
    expect(harness.seen.committed).toBe(0);
    expect(harness.seen.received).toBeLessThan(8 * MIB);
  });
});
