/** Runs a real PgBouncer in front of the database. Skipped where it is not installed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseProcessOwner } from '@clew/embedded';
import { freePort } from '@clew/embedded/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Database, openDatabase } from './database.ts';
import { Listener } from './listener.ts';
import { RequestWork } from './requestWork.ts';
import { silentLog, startTestDatabase } from './testing.ts';

const POOLER = ['pgbouncer', '/usr/sbin/pgbouncer'].find(
  (program) => spawnSync(program, ['--version']).status === 0,
);

const running: ChildProcess[] = [];
const directory = mkdtempSync(join(tmpdir(), 'clew-pooler-'));
let server: Database;
let forwarded: Awaited<ReturnType<typeof reachable>>;

/** The socket of the database may be where the user of the pooler does not get to. */
async function reachable(): Promise<{ readonly port: number; readonly forwarding: Server }> {
  const { host, port } = server.connection;
  const forwarding = createServer((client) => {
    const socket = connect(`${host}/.s.PGSQL.${port}`);
    client.on('error', () => socket.destroy()).pipe(socket);
    socket.on('error', () => client.destroy()).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(forwarding, 'listening');
  return { port: (forwarding.address() as { port: number }).port, forwarding };
}

/** @returns the address of the database behind a pooler */
async function startPooler(mode: 'session' | 'transaction' | 'statement'): Promise<string> {
  const { user, password, database } = server.connection;
  const own = await freePort();
  const owner = databaseProcessOwner();
  const path = join(directory, `${mode}.ini`);
  writeFileSync(
    path,
    `[databases]
clew = host=127.0.0.1 port=${forwarded.port} dbname=${database} user=${user} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 30
max_client_conn = 100
`,
  );
  if (owner.uid !== undefined && owner.gid !== undefined)
    for (const name of [directory, path]) chownSync(name, owner.uid, owner.gid);
  running.push(spawn(POOLER as string, [path], { ...owner, stdio: 'ignore' }));
  return `postgres://anyone@127.0.0.1:${own}/clew`;
}

const open = (databaseUrl: string) => openDatabase({ databaseUrl, dataDirectory: '/', log: silentLog });

/** A pooler needs a moment until it listens. */
const opened = (url: string) =>
  vi.waitFor(
    () =>
      open(url).catch((error: Error) => {
        if (error.message.includes('nothing listens')) throw error;
        return error;
      }),
    { timeout: 100_000, interval: 50 },
  );

describe.skipIf(POOLER === undefined)('behind a pooler', () => {
  beforeAll(async () => {
    server = await startTestDatabase();
    forwarded = await reachable();
  });
  afterAll(async () => {
    for (const child of running) child.kill('SIGINT');
    await Promise.all(running.map((child) => child.exitCode ?? once(child, 'exit')));
    forwarded.forwarding.close();
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  });

  test('that keeps sessions, all works: settings, notifications, statements canceled', async () => {
    const database = (await opened(await startPooler('session'))) as Database;
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
    'that keeps sessions for one %s alone, it is refused in words',
    async (mode) => {
      const error = (await opened(await startPooler(mode))) as Error;
      expect(error).toMatchObject({ name: 'DatabaseUnavailableError' });
      expect(error.message).toMatch(
        mode === 'transaction' ? 'pool_mode = session' : 'statement pooling mode',
      );
    },
  );
});
