/**
 * Three nodes of PostgreSQL that Patroni manages with etcd, HAProxy and PgBouncer in front of them, configured by the files of
 * `deploy/patroni`. Only addresses, ports and paths differ.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseProcessOwner } from '@clew/embedded';
import { freePort } from '@clew/embedded/testing';
import pg from 'pg';
import { vi } from 'vitest';
import { postgresRuntime } from '../artifacts/runtimes.ts';

const ROOT = join(import.meta.dirname, '../..');
const FILES = join(ROOT, 'deploy/patroni');
const CACHE = join(ROOT, 'node_modules/.cache/artifacts');
const PASSWORD = 'available';
const PATIENCE = { timeout: 120_000, interval: 200 };
const ENVIRONMENT = {
  PATRONI_SUPERUSER_PASSWORD: PASSWORD,
  PATRONI_REPLICATION_PASSWORD: PASSWORD,
  PATRONI_REWIND_PASSWORD: PASSWORD,
};
const PROGRAMS = {
  patroni: ['--version'],
  etcd: ['--version'],
  haproxy: ['-v'],
  pgbouncer: ['--version'],
  python3: ['-m', 'pip', '--version'],
};

const pathOf = (name: string): string | undefined =>
  [name, `/usr/sbin/${name}`].find(
    (program) => spawnSync(program, PROGRAMS[name as keyof typeof PROGRAMS]).status === 0,
  );

/** Required programs that are not installed. */
export const missingPrograms = (): string[] =>
  Object.keys(PROGRAMS).filter((name) => pathOf(name) === undefined);

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

interface Node {
  readonly name: string;
  readonly port: number;
  readonly apiPort: number;
  readonly data: string;
  patroni: ChildProcess | undefined;
}

export class PatroniCluster {
  readonly #directory: string;
  readonly #owner = databaseProcessOwner();
  readonly #others: ChildProcess[] = [];
  readonly nodes: Node[] = [];
  #etcdPort = 0;
  #isStopping = false;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /** @param directory for all files; belongs to the user of PostgreSQL */
  static async start(directory: string): Promise<PatroniCluster> {
    const cluster = new PatroniCluster(directory);
    // The user of PostgreSQL may not reach the cache.
    const programs = join(directory, 'programs');
    cpSync(postgresRuntime(CACHE, process.arch as 'x64' | 'arm64').directory, programs, { recursive: true });
    await cluster.#startEtcd();
    for (const name of ['db1', 'db2', 'db3'])
      await cluster.#addNode(name, join(programs, 'embedded_postgres/pginstall/bin'));
    for (const node of cluster.nodes) {
      cluster.#startNode(node);
      // The first node creates the cluster, and the others copy it.
      await vi.waitUntil(() => cluster.#leader().catch(() => undefined), PATIENCE);
    }
    await cluster.whole();
    await cluster.query("create role clew login password 'available'");
    await cluster.query('create database clew owner clew');
    return cluster;
  }

  /** Address with all nodes. */
  get url(): string {
    return `postgres://clew:${PASSWORD}@${this.nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}/clew`;
  }

  /** Starts HAProxy, and PgBouncer in front of it. @returns the address of PgBouncer */
  async startProxies(): Promise<string> {
    const ports = { haproxy: await freePort(), pgbouncer: await freePort() };
    const haproxy = this.#write('haproxy.cfg', (text) =>
      this.nodes
        .reduce(
          (now, { name, port, apiPort }) =>
            replaced(now, `${name}.example:5432 check port 8008`, `127.0.0.1:${port} check port ${apiPort}`),
          text,
        )
        .replace('127.0.0.1:5000', `127.0.0.1:${ports.haproxy}`),
    );
    const users = this.#write('userlist.txt', () => `"clew" "${PASSWORD}"\n`, '');
    const pgbouncer = this.#write('pgbouncer.ini', (text) =>
      [
        ['port=5000', `port=${ports.haproxy}`],
        ['listen_port = 6432', `listen_port = ${ports.pgbouncer}\nunix_socket_dir =`],
        ['/etc/pgbouncer/userlist.txt', users],
      ].reduce((now, [from, to]) => replaced(now, from, to), text),
    );
    this.#others.push(this.#spawn('haproxy', ['-db', '-f', haproxy]), this.#spawn('pgbouncer', [pgbouncer]));
    const url = `postgres://clew:${PASSWORD}@127.0.0.1:${ports.pgbouncer}/clew`;
    await vi.waitUntil(() => answers(url), PATIENCE);
    return url;
  }

  /** Waits until all nodes run, and one of them is a synchronous standby. */
  async whole(): Promise<void> {
    await vi.waitUntil(async () => {
      const members = await this.#members().catch(() => []);
      const running = members.filter(({ state }) => ['running', 'streaming'].includes(state));
      return running.length === this.nodes.length && members.some(({ role }) => role === 'sync_standby');
    }, PATIENCE);
  }

  /** @returns the name of the new primary */
  async switchOver(): Promise<string> {
    const leader = await this.#leader();
    const answer = await fetch(`http://127.0.0.1:${leader.apiPort}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: leader.name }),
    });
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
    return this.#successorOf(leader);
  }

  /** Kills the primary and its Patroni, as when the machine loses its power. @returns the names of the primary before and after */
  async killLeader(): Promise<{ readonly killed: string; readonly next: string }> {
    const leader = await this.#leader();
    const [postmaster] = readFileSync(join(leader.data, 'postmaster.pid'), 'utf8').split('\n');
    const all = [leader.patroni?.pid as number, Number(postmaster)];
    for (const pid of [...all, ...childrenOf(all)]) end(pid, 'SIGKILL');
    leader.patroni = undefined;
    return { killed: leader.name, next: await this.#successorOf(leader) };
  }

  /** Starts a killed node again, which becomes a standby. */
  async restart(name: string): Promise<void> {
    this.#startNode(this.nodes.find((node) => node.name === name) as Node);
    await this.whole();
  }

  async query(text: string): Promise<readonly Record<string, unknown>[]> {
    const { port } = await this.#leader();
    const client = new pg.Client(`postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`);
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    // Patroni stops its PostgreSQL.
    for (const node of this.nodes) await ended(node.patroni);
    for (const child of this.#others.reverse()) await ended(child);
  }

  async #successorOf(leader: Node): Promise<string> {
    const next = await vi.waitUntil(async () => {
      const found = await this.#leader().catch(() => undefined);
      return found !== undefined && found.name !== leader.name && found;
    }, PATIENCE);
    return next.name;
  }

  async #startEtcd(): Promise<void> {
    this.#etcdPort = await freePort();
    const peer = `http://127.0.0.1:${await freePort()}`;
    const client = `http://127.0.0.1:${this.#etcdPort}`;
    const data = this.#own(join(this.#directory, 'etcd'));
    this.#others.push(
      this.#spawn('etcd', [
        ...['--data-dir', data, '--listen-client-urls', client, '--advertise-client-urls', client],
        ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
        ...['--initial-cluster', `default=${peer}`, '--log-level', 'error'],
      ]),
    );
    await vi.waitUntil(async () => (await fetch(`${client}/health`).catch(() => undefined))?.ok, PATIENCE);
  }

  async #addNode(name: string, programs: string): Promise<void> {
    const data = this.#own(join(this.#directory, name));
    const [port, apiPort] = [await freePort(), await freePort()];
    this.nodes.push({ name, port, apiPort, data, patroni: undefined });
    this.#write(
      'patroni.yml',
      (text) =>
        [
          ['name: db1', `name: ${name}`],
          ['listen: 0.0.0.0:8008', `listen: 127.0.0.1:${apiPort}`],
          ['db1.example:8008', `127.0.0.1:${apiPort}`],
          ['[db1.example:2379, db2.example:2379, db3.example:2379]', `["127.0.0.1:${this.#etcdPort}"]`],
          ['listen: 0.0.0.0:5432', `listen: 127.0.0.1:${port}`],
          ['db1.example:5432', `127.0.0.1:${port}`],
          ['/var/lib/postgresql/18/clew', data],
          ['/usr/lib/postgresql/18/bin', programs],
          ['/var/lib/postgresql/.pgpass-patroni', join(this.#directory, `${name}.pgpass`)],
          ['/var/run/postgresql', this.#directory],
        ]
          .reduce((now, [from, to]) => replaced(now, from, to), text)
          .replaceAll('10.0.0.0/24', '127.0.0.1/32'),
      `${name}-`,
    );
  }

  #startNode(node: Node): void {
    node.patroni = this.#spawn('patroni', [join(this.#directory, `${node.name}-patroni.yml`)]);
  }

  /** @returns the node that accepts writes, as the nodes that answer report it */
  async #leader(): Promise<Node> {
    const members = await this.#members();
    const name = members.find(({ role, state }) => role === 'leader' && state === 'running')?.name;
    const node = this.nodes.find((one) => one.name === name && one.patroni !== undefined);
    if (node === undefined) throw new Error(`no node is the primary: ${JSON.stringify(members)}`);
    return node;
  }

  #members(): Promise<readonly Member[]> {
    const running = this.nodes.filter(({ patroni }) => patroni !== undefined);
    return Promise.any(
      running.map(async ({ apiPort }) => {
        const answer = await fetch(`http://127.0.0.1:${apiPort}/cluster`, {
          signal: AbortSignal.timeout(3000),
        });
        return ((await answer.json()) as { members: Member[] }).members;
      }),
    );
  }

  #spawn(name: string, args: readonly string[]): ChildProcess {
    const env = { ...process.env, ...ENVIRONMENT, HOME: this.#directory };
    const child = spawn(pathOf(name) as string, args, {
      ...this.#owner,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4_000);
    });
    child.once('exit', (status) => {
      if (!this.#isStopping && status !== 0 && status !== null)
        process.stderr.write(`${name} ended with ${status}: ${output}\n`);
    });
    return child;
  }

  /** @returns the path of the changed copy of a file of `deploy/patroni` */
  #write(name: string, change: (text: string) => string, prefix = ''): string {
    const path = join(this.#directory, `${prefix}${name}`);
    const source = name === 'userlist.txt' ? '' : readFileSync(join(FILES, name), 'utf8');
    writeFileSync(path, change(source), { mode: 0o600 });
    this.#lend(path);
    return path;
  }

  #own(path: string): string {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    this.#lend(path);
    return path;
  }

  #lend(path: string): void {
    const { uid, gid } = this.#owner;
    if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
  }
}

/** @throws Error if the text is not there: the file in `deploy` has changed */
function replaced(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`deploy/patroni has no ${from}`);
  return text.replaceAll(from, to);
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    void client.end().catch(() => {});
  }
}

/** Processes of the operating system whose parent is one of these. */
function childrenOf(parents: readonly number[]): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        // The name in parentheses may contain spaces.
        const [, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
        return parents.includes(Number(parent));
      } catch {
        return false;
      }
    });
}

function end(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has already ended.
  }
}

async function ended(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await exit;
  clearTimeout(late);
}
