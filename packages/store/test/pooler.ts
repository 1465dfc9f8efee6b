/** A real PgBouncer in front of a test database. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseProcessOwner } from '@clew/embedded';
import { freePort } from '@clew/embedded/testing';
import type { Database } from '../src/database.ts';

const PROGRAM = ['pgbouncer', '/usr/sbin/pgbouncer'].find(
  (program) => spawnSync(program, ['--version']).status === 0,
);

/** Whether one is installed. */
export const hasPooler = PROGRAM !== undefined;

/**
 * How long a client keeps its server session: until it disconnects (the only mode that the service supports), or for one transaction or
 * statement.
 */
export type PoolMode = 'session' | 'transaction' | 'statement';

export interface Pooler {
  /** Address of the database behind the pooler, which listens after a moment. */
  readonly url: string;
  stop(): Promise<void>;
}

export async function startPooler({ connection }: Database, mode: PoolMode): Promise<Pooler> {
  const { port, forwarding } = await reachable(connection);
  const directory = mkdtempSync(join(tmpdir(), 'clew-pooler-'));
  const own = await freePort();
  const path = join(directory, 'pgbouncer.ini');
  const { user, password, database } = connection;
  writeFileSync(
    path,
    `[databases]
clew = host=127.0.0.1 port=${port} dbname=${database} user=${user} password=${password}
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
  const owner = databaseProcessOwner();
  if (owner.uid !== undefined && owner.gid !== undefined)
    for (const name of [directory, path]) chownSync(name, owner.uid, owner.gid);
  const child = spawn(PROGRAM as string, [path], { ...owner, stdio: 'ignore' });
  return {
    url: `postgres://anyone@127.0.0.1:${own}/clew`,
    stop: async () => {
      await ended(child);
      forwarding.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGINT');
  await once(child, 'exit');
}

/** The user of the pooler may not be able to reach the socket of the database. */
async function reachable({
  host,
  port,
}: Database['connection']): Promise<{ readonly port: number; readonly forwarding: Server }> {
  const forwarding = createServer((client) => {
    const socket = connect(`${host}/.s.PGSQL.${port}`);
    client.on('error', () => socket.destroy()).pipe(socket);
    socket.on('error', () => client.destroy()).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(forwarding, 'listening');
  return { port: (forwarding.address() as { port: number }).port, forwarding };
}
