/** Runs a real PgBouncer in front of the database. Skipped if it is not installed. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { silentLog, startTestDatabase } from '../test/index.ts';
import { hasPooler, type Pooler, type PoolMode, startPooler } from '../test/pooler.ts';
import { type Database, openDatabase } from './database.ts';
import { Listener } from './listener.ts';
import { RequestWork } from './requestWork.ts';

let server: Database;
const running: Pooler[] = [];

async function pooled(mode: PoolMode): Promise<string> {
  const pooler = await startPooler(server, mode);
  running.push(pooler);
  return pooler.url;
}

const open = (databaseUrl: string) => openDatabase({ databaseUrl, dataDirectory: '/', log: silentLog });

/** A pooler needs a moment before it listens. */
const opened = (url: string) =>
  vi.waitFor(
    () =>
      open(url).catch((error: Error) => {
        if (error.message.includes('nothing listens')) throw error;
        return error;
      }),
    { timeout: 100_000, interval: 50 },
  );

describe.skipIf(!hasPooler)('behind a pooler', () => {
  beforeAll(async () => {
    server = await startTestDatabase();
  });
  afterAll(async () => {
    for (const pooler of running) await pooler.stop();
    await server.close();
  });

  test('with a session per client, settings, notifications and cancellation work', async () => {
    const database = (await opened(await pooled('session'))) as Database;
    const { rows } = await database.pool.query("select '2026-01-02 12:00+02'::timestamptz::text as at");
    expect(rows).toEqual([{ at: '2026-01-02 10:00:00+00' }]);

    const heard: string[] = [];
    const connected = Promise.withResolvers<void>();
    const listener = new Listener({
      connection: database.connection,
      channels: ['some_channel'],
      onNotification: (_channel, payload) => heard.push(payload),
      onConnected: () => connected.resolve(),
      log: silentLog,
    });
    await connected.promise;
    await database.pool.query("select pg_notify('some_channel', 'hello')");
    await vi.waitUntil(() => heard.length === 1, { timeout: 100_000 });
    await listener.stop();

    const work = new RequestWork();
    const slow = work.run(() => database.pool.query('select pg_sleep(20)'));
    setTimeout(() => work.abandon(), 100);
    await expect(slow).rejects.toThrow('canceling statement');
    await database.close();
  });

  test.each(['transaction', 'statement'] as const)(
    'with a session per %s, the database is refused with an explanation',
    async (mode) => {
      const error = (await opened(await pooled(mode))) as Error;
      expect(error).toMatchObject({ name: 'DatabaseUnavailableError' });
      expect(error.message).toMatch(
        mode === 'transaction' ? 'pool_mode = session' : 'statement pooling mode',
      );
    },
  );
});
