import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { useTestServer } from '../../test/http/harness.ts';
import { exchangeRaw, openSocket, parseAnswer } from '../../test/http/rawClient.ts';

const harness = useTestServer();
const opened: Socket[] = [];

afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
});

async function open(url: string, text: string): Promise<Socket> {
  const socket = await openSocket(url);
  socket.on('error', () => {});
  socket.write(text);
  opened.push(socket);
  return socket;
}

const HALF = 'GET /open HTTP/1.1\r\nHost: x\r\nX-Half: ';

describe('connections', () => {
  test('with incomplete requests do not keep other clients out', async () => {
    const url = await harness.startOther({ limits: { connections: 40 } });
    const half: Socket[] = [];
    for (let n = 0; n < 200; n++) half.push(await open(url, HALF));
    for (let n = 0; n < 5; n++) expect((await fetch(`${url}/open`)).status).toBe(200);
    // A quarter of the forty for one address.
    await vi.waitUntil(
      () => half.filter(({ closed, readableEnded }) => !closed && !readableEnded).length <= 10,
      { timeout: 100_000 },
    );
  });

  test('behind a trusted proxy may all have its address', async () => {
    const url = await harness.startOther({ limits: { connections: 40 }, trustedProxies: { count: 1 } });
    // Behind a proxy, all clients have its address, which may use all connections.
    const half = [];
    for (let n = 0; n < 30; n++) half.push(await open(url, HALF));
    await sleep(50);
    expect(half.filter(({ closed }) => closed)).toEqual([]);
  });

  test('that are all busy leave room for health checks only', async () => {
    const url = await harness.startOther({ limits: { connections: 20 }, trustedProxies: { count: 1 } });
    const stuck = 'GET /stubborn HTTP/1.1\r\nHost: x\r\n\r\n';
    for (let n = 0; n < 20; n++) await open(url, stuck);
    // A connection whose request has not arrived yet would be closed.
    await sleep(100);
    await vi.waitUntil(
      async () => {
        const answer = await exchangeRaw(url, 'GET /open HTTP/1.1');
        return answer.status === 503 && answer.headers.connection === 'close';
      },
      { timeout: 100_000 },
    );
    expect((await exchangeRaw(url, 'GET /healthy HTTP/1.1')).status).toBe(200);
    for (const socket of opened.splice(0)) socket.destroy();
    await vi.waitUntil(async () => (await exchangeRaw(url, 'GET /open HTTP/1.1')).status === 200, {
      timeout: 100_000,
    });
  });

  test('are freed after an answer to bytes that are not HTTP, whether or not the client closes its side', async () => {
    const socket = await openSocket(harness.url);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => {});
    // The client keeps its half open, so that only the server can close the connection.
    socket.allowHalfOpen = true;
    socket.write('nonsense\r\n\r\n');
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    expect(parseAnswer(bytes).status).toBe(400);
    // Sending on a closed connection causes a reset.
    const sending = setInterval(() => socket.write('more'), 100);
    await closed;
    clearInterval(sending);
  });

  test('with a too large header get a clear error', async () => {
    const answer = await exchangeRaw(harness.url, `GET /open HTTP/1.1\r\nX-Large: ${'x'.repeat(70_000)}`);
    expect(answer.status).toBe(431);
    expect(answer.json()).toMatchObject({ http_status: 431, errors: [{ context: 'clients' }] });
  });
});
