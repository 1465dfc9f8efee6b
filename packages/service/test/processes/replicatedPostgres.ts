/** PostgreSQL with a streaming standby, both reached over TCP, for failover tests. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  clusterArgument,
  DATABASE_USER,
  databaseProcessOwner,
  findBinaries,
  makeCluster,
  serverArguments,
} from '@clew/embedded';
import { freePort } from '@clew/embedded/testing';
import pg from 'pg';
import { vi } from 'vitest';

const PASSWORD = 'replicated';
const PATIENCE = { timeout: 100_000, interval: 50 };

export class PostgresServer {
  readonly port: number;
  readonly #directory: string;
  readonly #settings: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;

  constructor(directory: string, port: number, settings: Readonly<Record<string, string>> = {}) {
    this.#directory = directory;
    this.port = port;
    this.#settings = settings;
  }

  /** @param directory for a new cluster */
  static async makePrimary(directory: string): Promise<PostgresServer> {
    const owner = databaseProcessOwner();
    const binaries = findBinaries(owner, '/var/lib/clew');
    await makeCluster({ directory, binaries, owner, password: PASSWORD, durable: false });
    const server = new PostgresServer(directory, await freePort());
    await server.start();
    await server.query('create database clew', 'postgres');
    return server;
  }

  /** Creates a standby from a backup of the running server, which then only acknowledges data that the standby also has. */
  async makeStandby(directory: string): Promise<PostgresServer> {
    const client = await this.#client('postgres');
    await client.query("select pg_backup_start('standby', true)");
    cpSync(this.#directory, directory, {
      recursive: true,
      filter: (path) => !/postmaster\.(pid|opts)$|\.s\.PGSQL/.test(path),
    });
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
    await client.end();
    writeFileSync(join(directory, 'backup_label'), rows[0].labelfile);
    writeFileSync(join(directory, 'standby.signal'), '');
    lend(directory);
    const standby = new PostgresServer(directory, await freePort(), {
      primary_conninfo: `host=127.0.0.1 port=${this.port} user=${DATABASE_USER} password=${PASSWORD} application_name=standby`,
    });
    await standby.start();
    await this.query("alter system set synchronous_standby_names = 'standby'");
    await this.query('select pg_reload_conf()');
    await vi.waitUntil(
      async () => (await this.query('select from pg_stat_replication where sync_state = $$sync$$')).length,
      PATIENCE,
    );
    return standby;
  }

  async start(): Promise<void> {
    const owner = databaseProcessOwner();
    const { postgres } = findBinaries(owner, '/var/lib/clew');
    const cluster = clusterArgument(this.#directory, owner);
    const settings = {
      listen_addresses: '127.0.0.1',
      port: String(this.port),
      wal_level: 'replica',
      // Acknowledged data is also on the standby.
      synchronous_commit: 'on',
      max_wal_senders: '8',
      wal_keep_size: '1GB',
      max_connections: '300',
      ...this.#settings,
    };
    this.#child = spawn(
      postgres,
      [
        ...serverArguments(cluster, cluster, { durable: false }),
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      { ...owner, cwd: this.#directory, detached: true, stdio: ['ignore', 'ignore', 'ignore'] },
    );
    await vi.waitUntil(() => this.query('select 1', 'postgres').catch(() => false), PATIENCE);
  }

  async query(text: string, database = 'clew'): Promise<readonly Record<string, unknown>[]> {
    const client = await this.#client(database);
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Ends it like a power failure. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  async stop(): Promise<void> {
    await this.#end('SIGINT');
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child?.pid === undefined) return;
    const ended = once(child, 'exit');
    // The process group, including the processes that serve connections.
    process.kill(signal === 'SIGKILL' ? -child.pid : child.pid, signal);
    await ended;
  }

  async #client(database: string): Promise<pg.Client> {
    const client = new pg.Client(urlOf([this], database));
    client.on('error', () => {});
    await client.connect();
    return client;
  }
}

export function urlOf(servers: readonly { readonly port: number }[], database = 'clew'): string {
  const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return `postgres://${DATABASE_USER}:${PASSWORD}@${hosts}/${database}`;
}

function lend(directory: string): void {
  const { uid, gid } = databaseProcessOwner();
  if (uid === undefined || gid === undefined) return;
  spawnSync('chown', ['-R', `${uid}:${gid}`, directory]);
}
