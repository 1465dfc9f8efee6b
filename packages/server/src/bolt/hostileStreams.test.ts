import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ALL, closed, endBolts, signedIn, start } from '../../test/bolt/boltClients.ts';
import { answerRows, LOGON, MAGIC, PROPOSALS, packMessage, RawBolt } from '../../test/bolt/rawBolt.ts';

afterEach(endBolts);

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
