import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '@clew/common';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ALL, closed, endBolts, open, signedIn, start } from '../../test/bolt/boltClients.ts';
import { LOGON, MAGIC, PROPOSALS, packMessage, type RawBolt, takenOf } from '../../test/bolt/rawBolt.ts';
import { RateLimiter } from '../http/rateLimit.ts';
import { CONNECTION_TIMES, MAX_MESSAGE_BYTES } from './connection.ts';

afterEach(endBolts);

describe('limits', () => {
  const times = { ...CONNECTION_TIMES, signInMs: 300, messageMs: 300, stallMs: 300 };

  test('end a message of which one byte arrives at a time', async () => {
    const client = await signedIn(await start({ times }));
    const message = packMessage('RUN', 'rows 1', { x: 'x'.repeat(1000) }, {});
    let sent = 0;
    for (; !client.isClosed && sent < 100; sent++) {
      client.socket.write(message.subarray(sent, sent + 1));
      await sleep(30);
    }
    expect(sent).toBeLessThan(60);
  });

  test('give a message its time again when the service goes on to read', async () => {
    const client = await signedIn(await start({ times }));
    const last = packMessage('DISCARD', ALL);
    client.send(['RUN', 'slow 1000', {}, {}]);
    const waiting = Array(150).fill(packMessage('TELEMETRY', 1));
    client.socket.write(Buffer.concat([...waiting, last.subarray(0, 3)]));
    expect(await client.names(151)).toEqual(Array(151).fill('SUCCESS'));
    client.socket.write(last.subarray(3));
    expect(await client.names(1)).toEqual(['SUCCESS']);
  });

  test('have no timer left after a connection has ended', async () => {
    const [messageMs, stallMs, idleMs] = [54_321, 54_322, 54_323];
    const ours = new Set<number | undefined>([messageMs, stallMs, idleMs]);
    const [set, clear] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')];
    try {
      const client = await signedIn(await start({ times: { ...times, messageMs, stallMs, idleMs } }));
      client.socket.write(
        Buffer.concat([packMessage('TELEMETRY', 1), packMessage('TELEMETRY', 1).subarray(0, 3)]),
      );
      await client.names(1);
      client.socket.write(packMessage('TELEMETRY', 1).subarray(3));
      client.send(['GOODBYE']);
      await closed(client);
      await sleep(50);
      const made = set.mock.results.flatMap(({ value }, at) =>
        ours.has(set.mock.calls[at][1]) ? [value] : [],
      );
      const cleared = new Set<unknown>(clear.mock.calls.map(([timer]) => timer));
      expect(made.length).toBeGreaterThan(2);
      expect(made.filter((timer) => !cleared.has(timer))).toEqual([]);
    } finally {
      set.mockRestore();
      clear.mockRestore();
    }
  });

  test('do not end a client that reads slowly', async () => {
    const client = await signedIn(await start({ times: { ...times, stallMs: 2000 } }));
    let sinceRest = 0;
    client.socket.on('data', ({ length }) => {
      sinceRest += length;
      if (sinceRest < 512 * 1024) return;
      sinceRest = 0;
      client.socket.pause();
      setTimeout(() => client.socket.resume(), 100);
    });
    // More than the buffers of both ends have room for: with the pauses, a row takes three seconds.
    client.send(['RUN', 'wide 2 of 15000000', {}, {}], ['PULL', ALL]);
    expect(await client.names(4)).toEqual(['SUCCESS', 'RECORD', 'RECORD', 'SUCCESS']);
  }, 30_000);

  test('end connections that do not sign in, or stop within a message', async () => {
    const url = await start({ times });
    const silent = await open(url);
    const slow = await open(url);
    slow.socket.write(Buffer.concat([MAGIC, PROPOSALS]));
    const within = await signedIn(url);
    within.socket.write(packMessage('RUN', 'rows 1', {}, {}).subarray(0, 6));
    const complete = await signedIn(url);
    await Promise.all([silent, slow, within].map(closed));
    expect(complete.isClosed).toBe(false);
  });

  test('end a connection whose rows or transaction stay open, before an idle one', async () => {
    const url = await start({ times: { ...times, openMs: 200, idleMs: 2000 } });
    const [rows, transaction, idle] = [await signedIn(url), await signedIn(url), await signedIn(url)];
    rows.send(['RUN', 'rows 9', {}, {}]);
    transaction.send(['BEGIN', {}]);
    await Promise.all([rows, transaction].map(closed));
    expect(idle.isClosed).toBe(false);
    await closed(idle);
  });

  test('hold no more rows for a user than are allowed, until they are read, discarded or reset', async () => {
    const url = await start({ openRows: { total: 200, user: 100 } });
    const [client, other] = [await signedIn(url), await signedIn(url)];
    client.send(['RUN', 'rows 90', {}, {}]);
    expect(await client.names(1)).toEqual(['SUCCESS']);
    const tooMany = 'FAILURE Neo.TransientError.Request.NoThreadsAvailable';
    const tries = async (expected: string): Promise<void> => {
      other.send(['RUN', 'rows 20', {}, {}], ['DISCARD', ALL]);
      const [answer] = await other.names(2);
      other.send(['RESET']);
      await other.names(1);
      expect(answer).toBe(expected);
    };
    await tries(tooMany);
    client.send(['DISCARD', ALL]);
    await client.names(1);
    await tries('SUCCESS');
    client.send(['RUN', 'rows 90', {}, {}]);
    await client.names(1);
    await tries(tooMany);
    client.send(['RESET']);
    await client.names(1);
    await tries('SUCCESS');
    client.send(['RUN', 'rows 90', {}, {}]);
    await client.names(1);
    client.socket.destroy();
    await vi.waitFor(() => tries('SUCCESS'));
  });

  test('make no rows that a slow client does not read, and end it', async () => {
    const url = await start({ times });
    const client = await signedIn(url);
    client.socket.pause();
    takenOf.count = 0;
    client.send(['RUN', 'wide 5000', {}, {}], ['PULL', ALL]);
    const quick = await signedIn(url);
    quick.send(['RUN', 'rows 1', {}, {}]);
    expect(await quick.names(1)).toEqual(['SUCCESS']);
    await sleep(1500);
    client.socket.resume();
    await closed(client);
    // Rows of 100 KB: some megabytes are in the buffers of both ends.
    expect(takenOf.count).toBeLessThan(1000);
  });

  test('read no more messages than wait for their answers', async () => {
    const url = await start({ times });
    const client = await signedIn(url);
    client.socket.pause();
    const flood = Buffer.concat(Array(20_000).fill(packMessage('TELEMETRY', 1)));
    for (let n = 0; n < 40; n++) client.socket.write(flood);
    await sleep(200);
    // The service has read only a part of the 800,000 messages: the rest waits at the client.
    expect(client.socket.writableLength).toBeGreaterThan(0);
    client.socket.resume();
    client.socket.destroy();
  });

  test('refuse a message that is too large, smaller ones before signing in', async () => {
    const url = await start();
    const early = await open(url);
    early.socket.write(
      Buffer.concat([MAGIC, PROPOSALS, packMessage('HELLO', { user_agent: 'x'.repeat(70_000) })]),
    );
    await closed(early);
    const late = await signedIn(url);
    late.send(['RUN', 'rows 1', { x: 'x'.repeat(70_000) }, {}]);
    expect(await late.names(1)).toEqual(['SUCCESS']);
    late.socket.write(packMessage('RUN', 'rows 1', { x: 'x'.repeat(MAX_MESSAGE_BYTES) }, {}));
    await closed(late);
  });

  test('keep a part of the connections for other addresses, whatever one does', async () => {
    const url = await start({ connections: 80 });
    const working = await signedIn(url);
    working.send(['RUN', 'rows 1', {}, {}]);
    expect(await working.names(1)).toEqual(['SUCCESS']);
    const half: RawBolt[] = [];
    for (let n = 0; n < 500; n++) half.push(await open(url));
    await vi.waitUntil(() => half.filter(({ isClosed }) => !isClosed).length <= 20, { timeout: 100_000 });
    // The connection with open rows was not closed to make room, and a new connection is served.
    working.send(['PULL', ALL]);
    expect(await working.names(2)).toEqual(['RECORD', 'SUCCESS']);
    const late = await signedIn(url);
    late.send(['RUN', 'rows 1', {}, {}]);
    expect(await late.names(1)).toEqual(['SUCCESS']);
  });

  test('refuse a row that is too large, before it takes the memory of its bytes', async () => {
    const client = await signedIn(await start());
    client.send(['RUN', 'list 790000', {}, {}], ['PULL', ALL]);
    expect(await client.names(2)).toEqual(['SUCCESS', 'FAILURE Neo.ClientError.Statement.ExecutionFailed']);
    client.send(['RESET'], ['RUN', 'list 100', {}, {}], ['PULL', ALL]);
    expect(await client.names(4)).toEqual(['SUCCESS', 'SUCCESS', 'RECORD', 'SUCCESS']);
  });

  test('hold the bytes of large rows that are being sent as open rows', async () => {
    const url = await start({ openRows: { total: 80_000_000, user: 40_000_000 } });
    const slow = [await signedIn(url), await signedIn(url), await signedIn(url)];
    for (const client of slow) {
      client.send(['RUN', 'wide 2 of 15000000', {}, {}]);
      await client.names(1);
      client.socket.pause();
    }
    for (const client of slow) client.send(['PULL', ALL]);
    // The rows of two of them are on their way: those of the third are too many.
    await sleep(1000);
    const codes = await Promise.all(
      slow.map(async (client) => {
        client.socket.resume();
        let last = 'RECORD';
        while (last === 'RECORD') [last] = await client.names(1);
        return last;
      }),
    );
    expect(codes.toSorted()).toEqual([
      'FAILURE Neo.TransientError.Request.NoThreadsAvailable',
      ...['SUCCESS', 'SUCCESS'],
    ]);
  }, 60_000);

  test('keep a part of the connections for other users, whatever the addresses of one', async () => {
    const { trustedProxies } = readConfig({ CLEW_TRUSTED_PROXIES: '127.0.0.1' });
    const url = await start({ connections: 8, trustedProxies });
    const clients = [await signedIn(url), await signedIn(url)];
    for (const client of clients) client.send(['RUN', 'rows 1', {}, {}]);
    for (const client of clients) await client.names(1);
    const third = await open(url);
    third.socket.write(Buffer.concat([MAGIC, PROPOSALS, packMessage('HELLO', {}), LOGON]));
    expect(await third.names(3)).toEqual([
      ...['SUCCESS', 'FAILURE Neo.TransientError.Request.NoThreadsAvailable', 'closed'],
    ]);
    expect((await signedIn(url, 'bob')).isClosed).toBe(false);
    // A transaction without rows waits, and makes room.
    clients[0].send(['DISCARD', ALL], ['BEGIN', {}]);
    await clients[0].names(2);
    const fourth = await signedIn(url);
    await closed(clients[0]);
    fourth.send(['LOGOFF']);
    await fourth.names(1);
    expect((await signedIn(url)).isClosed).toBe(false);
    expect(clients[1].isClosed).toBe(false);
  });

  test('hold for each address, where only the number of proxies is known', async () => {
    const url = await start({ connections: 8, trustedProxies: { count: 1 } });
    const clients = [];
    for (const user of ['ann', 'bob']) {
      const client = await signedIn(url, user);
      client.send(['RUN', 'rows 1', {}, {}]);
      await client.names(1);
      clients.push(client);
    }
    await closed(await open(url));
    expect(clients.map(({ isClosed }) => isClosed)).toEqual([false, false]);
  });

  test('end open rows in time, whatever empty chunks the client sends', async () => {
    const client = await signedIn(await start({ times: { ...times, openMs: 300, idleMs: 5000 } }));
    client.send(['RUN', 'rows 9', {}, {}]);
    let sent = 0;
    for (; !client.isClosed && sent < 100; sent++) {
      client.socket.write(Buffer.from([0, 0]));
      await sleep(30);
    }
    expect(sent).toBeLessThan(60);
  });

  test('still hold after clients have left during their work', async () => {
    const url = await start({ connections: 8 });
    const openRows = async (): Promise<RawBolt> => {
      const client = await signedIn(url);
      client.send(['RUN', 'rows 1', {}, {}]);
      await client.names(1);
      return client;
    };
    for (let n = 0; n < 3; n++) {
      const leaves = await signedIn(url);
      leaves.send(['RUN', 'wait', {}, {}]);
      await sleep(50);
      leaves.socket.destroy();
      await sleep(50);
    }
    const two = [await openRows(), await openRows()];
    const third = await open(url);
    await closed(third);
    expect(two.map(({ isClosed }) => isClosed)).toEqual([false, false]);
  });

  test('count wrong credentials, and look at no more of an address that floods', async () => {
    const signIn = vi.fn(async () => undefined);
    const url = await start({ limiter: new RateLimiter(2), signIn });
    const codes = new Set<string>();
    for (let n = 0; n < 30; n++) {
      const client = await open(url);
      client.socket.write(Buffer.concat([MAGIC, PROPOSALS, packMessage('HELLO', {}), LOGON]));
      codes.add((await client.names(2))[1]);
    }
    expect([...codes].sort()).toEqual([
      'FAILURE Neo.ClientError.Security.Unauthorized',
      'FAILURE Neo.TransientError.Request.NoThreadsAvailable',
    ]);
    expect(signIn.mock.calls.length).toBeLessThan(30);
  });
});
