/** Tests the limits of `clew mcp --http`, which apply before it calls any service. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { testScreen } from '../../test/testScreen.ts';
import { mcp } from './mcp.ts';

const MIB = 1024 * 1024;
const abort = new AbortController();
const sockets: Socket[] = [];
/** Address of a server whose time limits no test reaches. */
let url: URL;
/** Address of one whose time limits end soon. */
let hasty: URL;
const running: Promise<void>[] = [];

async function start(times: { readonly head: number; readonly request: number }): Promise<URL> {
  const [out, err] = [testScreen(), testScreen()];
  running.push(
    mcp(
      {
        env: { HOME: '/nowhere', CLEW_URL: 'http://127.0.0.1:1' },
        ...{ out: out.screen, err: err.screen, directory: '/', signal: abort.signal },
        askSecret: async () => '',
        withQuestions: () => Promise.reject(new Error('nothing is asked here')),
        readInput: async () => '',
      },
      { http: '127.0.0.1:0', times },
    ),
  );
  const address = () => /listening on (\S+)/.exec(err.text())?.[1];
  return new URL((await vi.waitUntil(address, { timeout: 100_000 })) as string);
}

beforeAll(async () => {
  url = await start({ head: 600_000, request: 600_000 });
  hasty = await start({ head: 1_000, request: 2_000 });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await sleep(50);
});
afterAll(async () => {
  abort.abort();
  await Promise.all(running);
});

/** @returns a connection, and its answer after it is closed */
function open(to = url): { readonly socket: Socket; readonly closed: Promise<string> } {
  const socket = connect(Number(to.port), to.hostname);
  sockets.push(socket);
  let answer = '';
  socket.on('error', () => {});
  socket.on('data', (bytes) => {
    answer += bytes;
  });
  return { socket, closed: once(socket, 'close').then(() => answer) };
}

const headOf = (host: string): string =>
  `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer x\r\nContent-Type: application/json\r\n`;
const post = (headers: Record<string, string>, body = '{}') =>
  fetch(url, { method: 'POST', headers: { authorization: 'Bearer x', ...headers }, body });

it('closes connections of a peer after the fiftieth', async () => {
  const opened = Array.from({ length: 60 }, () => open());
  let left = opened.length;
  for (const { closed } of opened) void closed.then(() => left--);
  await vi.waitUntil(() => left <= 50, { timeout: 100_000, interval: 10 });
  await sleep(200);
  expect(left).toBe(50);
});

it('ends a request whose header or body does not arrive', async () => {
  const [head, body] = [open(hasty), open(hasty)];
  head.socket.write('POST /mcp HTTP/1.1\r\nX-Slow: ');
  body.socket.write(`${headOf(hasty.host)}Content-Length: 100\r\n\r\n{`);
  const startedAt = Date.now();
  expect(await head.closed).toMatch(/408/);
  expect(await body.closed).toMatch(/408/);
  expect(Date.now() - startedAt).toBeLessThan(20_000);
});

it('buffers at most four MiB of request bodies of one peer, and releases them', async () => {
  const held = Array.from({ length: 4 }, () => open());
  for (const { socket } of held) {
    socket.write(`${headOf(url.host)}Content-Length: ${MIB}\r\n\r\n`);
    socket.write(Buffer.alloc(MIB - 1, 'x'));
  }
  await vi.waitUntil(async () => (await post({}, 'x'.repeat(1_000))).status === 503, {
    ...{ timeout: 100_000, interval: 20 },
  });
  for (const { socket } of held) socket.destroy();
  await vi.waitUntil(async () => (await post({}, 'x'.repeat(1_000))).status === 400, { timeout: 100_000 });
});

it('refuses a body larger than one MiB, and a page of another origin', async () => {
  expect((await post({}, 'x'.repeat(MIB + 1))).status).toBe(413);
  expect((await post({ origin: 'https://evil.example' })).status).toBe(403);
  expect((await post({ origin: 'null' })).status).toBe(403);
  expect((await post({ origin: url.origin }, 'x')).status).toBe(400);
});

it('refuses a page that has a name of its own for this address', async () => {
  for (const host of ['evil.example', `evil.example:${url.port}`, '127.0.0.1', '']) {
    const { socket, closed } = open();
    socket.write(`${headOf(host)}Content-Length: 1\r\nConnection: close\r\n\r\nx`);
    expect([host, await closed]).toEqual([host, expect.stringMatching(/^HTTP\/1.1 403 /)]);
  }
});
