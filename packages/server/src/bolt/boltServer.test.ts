import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '@clew/common';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  answerRows,
  LOGON,
  logon,
  MAGIC,
  PROPOSALS,
  packMessage,
  RawBolt,
  startTestBolt,
  takenOf,
} from '../../test/bolt/rawBolt.ts';
import { RateLimiter } from '../http/rateLimit.ts';
import type { BoltServer } from './boltServer.ts';
import { CONNECTION_TIMES, MAX_MESSAGE_BYTES } from './connection.ts';

const started: BoltServer[] = [];
let opened: RawBolt[] = [];

async function start(options: Parameters<typeof startTestBolt>[0] = {}): Promise<string> {
  const server = await startTestBolt(options);
  started.push(server);
  return server.url;
}

async function open(url: string): Promise<RawBolt> {
  const client = await RawBolt.open(url);
  opened.push(client);
  return client;
}

async function signedIn(url: string, user?: string): Promise<RawBolt> {
  const client = await RawBolt.signedIn(url, user);
  opened.push(client);
  return client;
}

afterEach(async () => {
  for (const { socket } of opened) socket.destroy();
  opened = [];
  for (const server of started.splice(0)) await server.close(100);
});

const ALL = { n: -1 };
const closed = (client: RawBolt) => vi.waitUntil(() => client.isClosed, { timeout: 20_000, interval: 10 });

describe('the handshake', () => {
  test.each([
    ['the newest minor version of a range', '00040805 00020404 00000003 00000000', [0, 0, 4, 5]],
    ['an older version of a range', '00080805 00000000 00000000 00000000', [0, 0, 4, 5]],
    ['the proposals after a manifest', '000001ff 00080805 00020404 00000003', [0, 0, 4, 5]],
    ['version 4.4', '00020404 00000000 00000000 00000000', [0, 0, 4, 4]],
    ['version 5.0', '00000005 00000000 00000000 00000000', [0, 0, 0, 5]],
    ['the first that is spoken', '00000003 00000404 00000405 00000000', [0, 0, 4, 4]],
    [
      'a version within a range whose newest is not spoken',
      '00020605 00000000 00000000 00000000',
      [0, 0, 4, 5],
    ],
    ['none of versions that are not spoken', '00000006 00000605 00000304 00000003', [0, 0, 0, 0]],
  ])('chooses %s', async (_, proposals, version) => {
    const client = await open(await start());
    client.socket.write(Buffer.concat([MAGIC, Buffer.from(proposals.replaceAll(' ', ''), 'hex')]));
    await vi.waitUntil(() => client.version.length === 4);
    expect(client.version).toEqual(version);
  });

  test('of another protocol ends the connection, without an answer', async () => {
    const client = await open(await start());
    client.socket.write('GET / HTTP/1.1\r\nHost: clew\r\n\r\n');
    await closed(client);
    expect(client.socket.bytesRead).toBe(0);
  });
});

describe('a session', () => {
  test('answers in the order of the messages, each in its state', async () => {
    const client = await signedIn(await start());
    client.send(
      ['RUN', 'rows 3', {}, {}],
      ['PULL', { n: 2 }],
      ['PULL', ALL],
      ['RUN', 'rows 2', {}, {}],
      ['DISCARD', ALL],
    );
    expect(await client.names(7)).toEqual([
      'SUCCESS',
      'RECORD',
      'RECORD',
      'SUCCESS',
      'RECORD',
      'SUCCESS',
      'SUCCESS',
    ]);
    expect(await client.next()).toEqual(['SUCCESS', expect.objectContaining({ type: 'r' })]);
  });

  test('answers with no error that drivers retry after a layer was changed', async () => {
    const url = await start({ openRows: { total: 5, user: 5 } });
    const client = await signedIn(url);
    const failureOf = async (...messages: Parameters<RawBolt['send']>) => {
      client.send(...messages);
      const names = await client.names(messages.length);
      client.send(['RESET']);
      expect(await client.names(1)).toEqual(['SUCCESS']);
      return names.find((name) => name.startsWith('FAILURE'));
    };
    const transient = 'FAILURE Neo.TransientError.General.DatabaseUnavailable';
    const final = 'FAILURE Neo.DatabaseError.Transaction.TransactionCommitFailed';
    const run = (text: string): Parameters<RawBolt['send']>[number] => ['RUN', text, {}, {}];
    expect(await failureOf(['BEGIN', {}], run('rows 1'), ['DISCARD', ALL], run('busy'))).toBe(transient);
    expect(await failureOf(['BEGIN', {}], run('change 1'), ['DISCARD', ALL], run('busy'))).toBe(final);
    expect(await failureOf(run('busy'))).toBe(transient);
    expect(await failureOf(run('change 1 then fail'), ['PULL', ALL])).toBe(final);
    // Other rows are open, so that those of the query have no room.
    const other = await signedIn(url);
    other.send(run('rows 4'));
    expect(await other.names(1)).toEqual(['SUCCESS']);
    expect(await failureOf(run('rows 3'))).toBe('FAILURE Neo.TransientError.Request.NoThreadsAvailable');
    expect(await failureOf(run('change 3'))).toBe(final);
    expect(await failureOf(['BEGIN', {}], run('change 0'), run('x'))).toBe(
      'FAILURE Neo.ClientError.Statement.SyntaxError',
    );
  });

  test.each(['signIn', 'source'] as const)(
    'answers a sign-in during an upgrade with a transient error: %s',
    async (at) => {
      let reason: string | undefined;
      const missing = Object.assign(new Error('no such column'), { code: '42703' });
      const source = () => Promise.reject(missing);
      const signIn = at === 'signIn' ? () => Promise.reject(missing) : async () => source;
      const url = await start({ signIn, writesRefused: () => reason });
      const failure = async () => {
        const client = await open(url);
        client.socket.write(Buffer.concat([MAGIC, PROPOSALS, packMessage('HELLO', {}), LOGON]));
        return (await client.names(3)).slice(1);
      };
      expect(await failure()).toEqual(['FAILURE Neo.DatabaseError.General.UnknownError', 'closed']);
      reason = 'an upgrade';
      expect(await failure()).toEqual(['FAILURE Neo.TransientError.General.DatabaseUnavailable', 'closed']);
    },
  );

  test('ignores messages after a failure until it is reset', async () => {
    const client = await signedIn(await start());
    client.send(['RUN', 'x', {}, {}], ['PULL', ALL], ['RUN', 'rows 1', {}, {}]);
    expect(await client.names(3)).toEqual([
      'FAILURE Neo.ClientError.Statement.SyntaxError',
      ...['IGNORED', 'IGNORED'],
    ]);
    client.send(['RESET'], ['RUN', 'rows 1', {}, {}]);
    expect(await client.names(2)).toEqual(['SUCCESS', 'SUCCESS']);
  });

  test('ends a running query and the messages behind it when it is reset', async () => {
    const client = await signedIn(await start());
    client.send(['RUN', 'wait', {}, {}], ['PULL', ALL], ['RESET'], ['RESET'], ['RUN', 'rows 1', {}, {}]);
    expect(await client.names(5)).toEqual(['IGNORED', 'IGNORED', 'IGNORED', 'SUCCESS', 'SUCCESS']);
  });

  test('has several results open in a transaction, by number, and a limit of them', async () => {
    const client = await signedIn(await start());
    client.send(['BEGIN', {}]);
    for (let n = 0; n < 17; n++) client.send(['RUN', 'rows 1', {}, {}]);
    const names = await client.names(18);
    expect(names.slice(0, 17)).toEqual(Array(17).fill('SUCCESS'));
    expect(names[17]).toBe('FAILURE Neo.ClientError.Request.Invalid');
    client.send(['RESET'], ['BEGIN', {}], ['RUN', 'rows 1', {}, {}], ['RUN', 'rows 2', {}, {}]);
    await client.next();
    await client.next();
    const [[, first], [, second]] = [await client.next(), await client.next()] as [string, { qid: number }][];
    client.send(['PULL', { n: -1, qid: first.qid }], ['PULL', { n: -1, qid: second.qid }], ['COMMIT']);
    expect(await client.names(6)).toEqual(['RECORD', 'SUCCESS', 'RECORD', 'RECORD', 'SUCCESS', 'SUCCESS']);
  });

  test.each([
    ['PULL without a result', packMessage('PULL', ALL)],
    [
      'a second RUN',
      Buffer.concat([packMessage('RUN', 'rows 1', {}, {}), packMessage('RUN', 'rows 1', {}, {})]),
    ],
    ['COMMIT without a transaction', packMessage('COMMIT')],
    ['BEGIN in a transaction', Buffer.concat([packMessage('BEGIN', {}), packMessage('BEGIN', {})])],
    ['HELLO again', packMessage('HELLO', {})],
    ['LOGON again', LOGON],
    ['a query that is not a text', packMessage('RUN', 1, {}, {})],
    [
      'no row at a time',
      Buffer.concat([packMessage('RUN', 'rows 1', {}, {}), packMessage('PULL', { n: 0 })]),
    ],
  ])('ends with %s', async (_, bytes) => {
    const client = await signedIn(await start());
    client.socket.write(bytes);
    let last = '';
    for (let [name] = await client.next(); name !== 'closed'; [name] = await client.next()) last = name;
    expect(last).toBe('FAILURE');
  });

  test('runs nothing before signing in, and nothing for another user', async () => {
    const url = await start();
    const early = await open(url);
    early.socket.write(
      Buffer.concat([MAGIC, PROPOSALS, packMessage('HELLO', {}), packMessage('RUN', 'rows 1', {}, {})]),
    );
    expect(await early.names(3)).toEqual(['SUCCESS', 'FAILURE Neo.ClientError.Request.Invalid', 'closed']);
    const other = await signedIn(url);
    other.send(['RUN', 'rows 1', {}, { imp_user: 'eve' }]);
    expect(await other.names(1)).toEqual(['FAILURE Neo.ClientError.Security.Forbidden']);
  });

  test('is refused to a user who may not run queries', async () => {
    const client = await open(await start());
    client.socket.write(Buffer.concat([MAGIC, PROPOSALS, packMessage('HELLO', {}), logon('eve')]));
    expect(await client.names(3)).toEqual([
      ...['SUCCESS', 'FAILURE Neo.ClientError.Security.Forbidden', 'closed'],
    ]);
  });

  test('signs out, and in again', async () => {
    const client = await signedIn(await start());
    client.send(['LOGOFF']);
    client.socket.write(LOGON);
    client.send(
      ['RUN', 'rows 1', {}, {}],
      ['DISCARD', ALL],
      ['LOGOFF'],
      ['LOGON', { scheme: 'basic', credentials: 'no' }],
    );
    expect(await client.names(7)).toEqual([
      ...['SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS'],
      ...['FAILURE Neo.ClientError.Security.Unauthorized', 'closed'],
    ]);
  });

  test('says that credentials are wrong, also where RESET follows them', async () => {
    const client = await open(await start());
    const wrong = packMessage('LOGON', { scheme: 'basic', credentials: 'no' });
    client.socket.write(
      Buffer.concat([MAGIC, PROPOSALS, packMessage('HELLO', {}), wrong, packMessage('RESET')]),
    );
    expect(await client.names(3)).toEqual([
      ...['SUCCESS', 'FAILURE Neo.ClientError.Security.Unauthorized', 'closed'],
    ]);
  });

  test('of version 4.4 signs in with HELLO, and has no ids as texts', async () => {
    const client = await open(await start());
    const hello = packMessage('HELLO', {
      scheme: 'basic',
      principal: 'ann',
      credentials: 'right',
      patch_bolt: ['utc'],
    });
    client.socket.write(Buffer.concat([MAGIC, Buffer.from('00000404'.padEnd(32, '0'), 'hex'), hello]));
    expect(await client.next()).toEqual([
      'SUCCESS',
      { server: 'Neo4j/5.4.0-clew-1.2.3', connection_id: expect.any(String), patch_bolt: ['utc'] },
    ]);
    client.send(['LOGOFF']);
    expect(await client.names(2)).toEqual(['FAILURE Neo.ClientError.Request.InvalidFormat', 'closed']);
  });

  test('says that this server is the whole cluster, by the address of the client', async () => {
    const client = await signedIn(await start());
    client.send(
      ['ROUTE', { address: 'graph.example:7687' }, [], { db: 'x' }],
      ['ROUTE', { address: 'a b' }, [], {}],
    );
    const [, { rt }] = (await client.next()) as [string, { rt: { servers: { addresses: string[] }[] } }];
    expect(rt.servers.map(({ addresses }) => addresses)).toEqual(Array(3).fill(['graph.example:7687']));
    const [, own] = (await client.next()) as [string, { rt: { servers: { addresses: string[] }[] } }];
    expect(own.rt.servers[0].addresses[0]).toMatch(/^127\.0\.0\.1:\d+$/);
  });

  test('waits where a query is beyond the rate limit, instead of failing', async () => {
    const client = await signedIn(await start({ limiter: new RateLimiter(2) }));
    const began = Date.now();
    for (let n = 0; n < 6; n++) client.send(['RUN', 'rows 1', {}, {}], ['DISCARD', ALL]);
    expect(await client.names(12)).toEqual(Array(12).fill('SUCCESS'));
    expect(Date.now() - began).toBeGreaterThan(1000);
  });

  test('ends a query at the time that the client gives', async () => {
    const client = await signedIn(await start());
    client.send(['RUN', 'wait', {}, { tx_timeout: 50 }]);
    expect(await client.names(1)).toEqual(['FAILURE Neo.ClientError.Transaction.TransactionTimedOut']);
  });

  test('ends a query at the time that the client gives for its transaction', async () => {
    const client = await signedIn(await start());
    client.send(['BEGIN', { tx_timeout: 50 }], ['RUN', 'wait', {}, {}]);
    expect(await client.names(2)).toEqual([
      'SUCCESS',
      'FAILURE Neo.ClientError.Transaction.TransactionTimedOut',
    ]);
    client.send(['RESET'], ['BEGIN', {}], ['RUN', 'slow 200', {}, {}]);
    expect(await client.names(3)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS']);
  });

  test('hides faults of the service from its clients', async () => {
    const answer = () => Promise.reject(new Error('secret path'));
    const client = await signedIn(await start({ answer }));
    client.send(['RUN', 'rows 1', {}, {}]);
    const [, failure] = (await client.next()) as [string, { code: string; message: string }];
    expect(failure.code).toBe('Neo.DatabaseError.General.UnknownError');
    expect(failure.message).not.toContain('secret');
  });
});

describe('the end of the service', () => {
  test('comes after the answers to the messages that have arrived, and takes no more', async () => {
    const server = await startTestBolt();
    const [busy, idle] = [await signedIn(server.url), await signedIn(server.url)];
    busy.send(['RUN', 'slow 500', {}, {}], ['PULL', ALL]);
    await sleep(100);
    const end = server.close(10_000);
    busy.send(['RUN', 'rows 1', {}, {}]);
    await closed(idle);
    expect(await busy.names(4)).toEqual(['SUCCESS', 'RECORD', 'SUCCESS', 'closed']);
    await end;
  });

  test('cuts a query that takes longer than the time that it has', async () => {
    const server = await startTestBolt();
    const client = await signedIn(server.url);
    client.send(['RUN', 'wait', {}, {}]);
    await sleep(50);
    await server.close(200);
    expect(await client.names(1)).toEqual(['closed']);
  });
});

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
    await vi.waitUntil(() => half.filter(({ isClosed }) => !isClosed).length <= 20, { timeout: 20_000 });
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

describe('hostile streams', () => {
  let conversation: Buffer;
  beforeAll(() => {
    conversation = Buffer.concat([
      ...[MAGIC, PROPOSALS, packMessage('HELLO', { user_agent: 'x' }), LOGON],
      ...[packMessage('RUN', 'rows 3', { a: [1, { b: 2.5 }] }, {}), packMessage('PULL', ALL)],
      ...[packMessage('BEGIN', {}), packMessage('RUN', 'rows 1', {}, {}), packMessage('DISCARD', ALL)],
      ...[
        packMessage('COMMIT'),
        packMessage('RESET'),
        packMessage('ROUTE', {}, [], {}),
        packMessage('GOODBYE'),
      ],
    ]);
  });

  test('1,000 of them end, and the next client is served', async () => {
    const faults: unknown[] = [];
    const log = { child: () => log, error: (fields: unknown) => faults.push(fields), info() {} };
    const url = await start({
      times: { signInMs: 200, messageMs: 200, stallMs: 200, openMs: 200, idleMs: 200 },
      log: log as never,
      answer: answerRows,
    });
    const mutation = fc.tuple(fc.nat(), fc.nat(255));
    const mutated = fc.sample(fc.array(mutation, { minLength: 1, maxLength: 6 }), 1000);
    for (let at = 0; at < mutated.length; at += 50) {
      const clients = await Promise.all(
        mutated.slice(at, at + 50).map(async (changes, n) => {
          const bytes = Buffer.from(conversation);
          for (const [place, byte] of changes) bytes[place % bytes.length] = byte;
          const client = await RawBolt.open(url);
          client.socket.write(n % 3 === 0 ? bytes.subarray(0, changes[0][0] % bytes.length) : bytes);
          return client;
        }),
      );
      await Promise.all(clients.map(closed));
    }
    const client = await signedIn(url);
    client.send(['RUN', 'rows 1', {}, {}]);
    expect(await client.names(1)).toEqual(['SUCCESS']);
    expect(faults).toEqual([]);
  }, 120_000);
});
