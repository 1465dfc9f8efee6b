/** Tests that requests end whatever the server does; each case is a real server. */

import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { guardedFetch } from './guardedFetch.ts';

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** @returns its address */
async function serve(answer: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => answer(socket));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const ask = (address: string, more: { signal?: AbortSignal; timeLimit?: number } = {}) =>
  guardedFetch(
    address,
    { method: 'POST', body: '{}' },
    { networks: [], setting: 'CLEW_WEBHOOK_NETWORKS', allowsLoopback: true, timeLimit: 500, ...more },
  );

/** Writes until the client closes the connection. */
function drip(socket: Socket, text: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(text), everyMs);
  socket.once('close', () => clearInterval(timer));
}

describe('a request of the service', () => {
  it('returns the answer', async () => {
    const address = await serve((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nsaid'));
    const answer = await ask(address);
    expect([answer.status, await answer.text()]).toEqual([200, 'said']);
  });

  it.each<[string, (socket: Socket) => void, RegExp]>([
    [
      'an upgrade that no one asked for',
      (socket) =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
      /101 Switching Protocols/,
    ],
    ['a connection that is closed at once', (socket) => socket.destroy(), /hang up|ECONNRESET|closed/],
    ['a connection that is ended without an answer', (socket) => socket.end(), /hang up|closed/],
    ['silence', () => {}, /timeout/],
    ['half a status line', (socket) => socket.write('HTTP/1.1 20'), /timeout/],
    ['headers without an end', (socket) => drip(socket, 'X-More: 1\r\n', 20), /Parse|Expected|timeout/],
    [
      'interim answers without an end',
      (socket) => drip(socket, 'HTTP/1.1 102 Processing\r\n\r\n', 20),
      /timeout/,
    ],
    [
      'a body without an end',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
        drip(socket, '1\r\na\r\n', 20);
      },
      /timeout|aborted/,
    ],
    [
      'a body that breaks off',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\nsaid'),
      /aborted/,
    ],
    [
      'a body that is too large',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n');
        socket.write('a'.repeat(2 * 1024 * 1024));
      },
      /too much/,
    ],
    [
      'early hints without an end',
      (socket) => drip(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n'.repeat(100), 5),
      /timeout/,
    ],
    [
      'a head that comes byte by byte',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
        drip(socket, 'a', 20);
      },
      /timeout/,
    ],
    [
      'a head that is too large',
      (socket) => socket.write(`HTTP/1.1 200 OK\r\nX-Large: ${'a'.repeat(1024 * 1024)}`),
      /Header overflow|Parse/,
    ],
    [
      'a trailer without an end',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n');
        drip(socket, `X-More: ${'a'.repeat(4000)}\r\n`, 5);
      },
      /Header overflow|Parse|timeout|aborted/,
    ],
    [
      'a size of a chunk without an end',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;');
        drip(socket, 'a'.repeat(4000), 5);
      },
      /overflow|Parse|timeout|aborted/,
    ],
    [
      'more than it said',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 400\r\nTransfer-Encoding: chunked\r\n\r\n'),
      /Parse|aborted/,
    ],
    ['no HTTP', (socket) => socket.end('SSH-2.0-x\r\n'), /Parse|Expected|hang up/],
  ])('ends with an error after %s', async (_, answer, message) => {
    await expect(ask(await serve(answer))).rejects.toThrow(message);
  });

  it('does not decompress an encoding that was not requested', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const address = await serve((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`);
      socket.end(bomb);
    });
    expect((await (await ask(address)).bytes()).length).toBe(bomb.length);
  });

  it('ends when its caller stops waiting', async () => {
    const abort = new AbortController();
    const address = await serve(() => abort.abort(new Error('the service is stopping')));
    await expect(ask(address, { signal: abort.signal, timeLimit: 60_000 })).rejects.toThrow('stopping');
  });

  it('is not sent if its caller has already stopped waiting', async () => {
    const address = await serve((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    await expect(ask(address, { signal: AbortSignal.abort(new Error('over')) })).rejects.toThrow('over');
  });
});
