import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ALL, closed, endBolts, open, signedIn, start } from '../../test/bolt/boltClients.ts';
import {
  LOGON,
  logon,
  MAGIC,
  PROPOSALS,
  packMessage,
  type RawBolt,
  startTestBolt,
} from '../../test/bolt/rawBolt.ts';
import { RateLimiter } from '../http/rateLimit.ts';

afterEach(endBolts);

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
