/** Tests that SIGTERM works in every state of the service: it ends in time, with its database. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { connectionToRunning, EmbeddedPostgres } from '../packages/embedded/src/index.ts';
import { silentLog } from '../packages/embedded/test/index.ts';
import { AdvisoryLock } from '../packages/store/src/index.ts';
import { backendsOf, postmasterOf } from './harness/processes.ts';

const ROOT = resolve(import.meta.dirname, '..');
/** Ten seconds are documented; the rest allows for other tests on the machine. */
const MAX_END_MS = 15_000;
const PASSWORD = 'correct horse battery staple';

type Undo = () => unknown;
const undos: Undo[] = [];
afterEach(async () => {
  for (const undo of undos.splice(0).reverse()) await undo();
});

interface Running {
  readonly child: ChildProcess;
  readonly data: string;
  /** Resolves when it is ready. */
  url(): Promise<string>;
}

async function directory(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'clew-term-'));
  undos.push(() => rm(made, { recursive: true, force: true, maxRetries: 40, retryDelay: 250 }));
  return made;
}

async function start(variables: Readonly<Record<string, string>> = {}): Promise<Running> {
  const data = join(await directory(), 'data');
  const inherited = Object.entries(process.env).filter(([name]) => !/^(CLEW_|npm_)/.test(name));
  const child = spawn('node', ['scripts/launch.mjs', 'packages/cli/src/main.ts', 'serve'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      ...Object.fromEntries(inherited),
      ...{ NODE_OPTIONS: '', CLEW_DATA_DIR: data, CLEW_PORT: '0', CLEW_LOG_LEVEL: 'silent' },
      ...{ CLEW_ADMIN_PASSWORD: PASSWORD, CLEW_WEBHOOK_NETWORKS: '127.0.0.0/8', ...variables },
    },
  });
  undos.push(() => child.kill('SIGKILL'));
  let output = '';
  child.stdout?.on('data', (text) => {
    output += text;
  });
  const url = async (): Promise<string> => {
    const address = () => /ready at (http:\/\/\S+)/.exec(output)?.[1];
    return (await vi.waitUntil(address, { timeout: 100_000, interval: 50 })) as string;
  };
  return { child, data, url };
}

/** Acquires a lock of the service's database, so that its users wait. */
async function holdLock(config: pg.ClientConfig, lock: number): Promise<pg.Client> {
  const client = new pg.Client(config);
  client.on('error', () => {});
  await client.connect();
  undos.push(() => client.end().catch(() => {}));
  await client.query('select pg_advisory_lock($1)', [lock]);
  return client;
}

/** @returns functions that call its operations */
async function signedIn(url: string) {
  const call = async (method: string, path: string, body?: unknown, token?: string) => {
    const answer = await fetch(`${url}/api/v2/${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    return text.startsWith('{') ? JSON.parse(text).data : text;
  };
  const login = { login_method: 'secret', username: 'admin', secret: PASSWORD };
  const { session_token } = await call('POST', 'login', login);
  return {
    token: session_token as string,
    call: (method: string, path: string, body?: unknown) => call(method, path, body, session_token),
  };
}

async function upload(url: string, wanted: string): Promise<void> {
  const { call } = await signedIn(url);
  const { id } = await call('POST', 'file-upload/start');
  const users = [1, 2, 3].map((rid) => ({
    ObjectIdentifier: `S-1-5-21-7-7-7-${1000 + rid}`,
    Properties: { name: `U${rid}@TERM.LOCAL`, domain: 'TERM.LOCAL', domainsid: 'S-1-5-21-7-7-7' },
    Aces: [],
  }));
  const file = { meta: { type: 'users', version: 6, count: users.length, methods: 0 }, data: users };
  await call('POST', `file-upload/${id}`, file);
  await call('POST', `file-upload/${id}/end`);
  await vi.waitUntil(async () => (await call('GET', 'datapipe/status')).status === wanted, {
    timeout: 100_000,
    interval: 50,
  });
}

const STATES: Readonly<Record<string, (variables?: Readonly<Record<string, string>>) => Promise<Running>>> = {
  async starting() {
    const running = await start();
    await sleep(400);
    return running;
  },

  async 'making its database'() {
    const running = await start();
    await vi.waitUntil(() => existsSync(join(running.data, 'postgres')), { timeout: 100_000, interval: 10 });
    return running;
  },

  async migrating() {
    const server = await EmbeddedPostgres.start({
      ...{ directory: await directory(), log: silentLog, tuning: { durable: false } },
    });
    undos.push(() => server.stop());
    const { host, port, user, password, database } = server.connection;
    await holdLock({ host, port, user, password, database }, AdvisoryLock.migrate);
    const address = `postgres://${user}:${password}@${encodeURIComponent(host)}/${database}`;
    const running = await start({ CLEW_DATABASE_URL: address });
    const client = new pg.Client({ host, port, user, password, database });
    await client.connect();
    await vi.waitUntil(
      async () => (await client.query('select from pg_locks where not granted')).rowCount !== 0,
      { timeout: 100_000, interval: 50 },
    );
    await client.end();
    return running;
  },

  async recovering() {
    const running = await start();
    await running.url();
    const [backend] = backendsOf(running.data);
    expect(backend).toBeDefined();
    process.kill(backend as number, 'SIGKILL');
    await sleep(20);
    return running;
  },

  async ingesting() {
    const running = await start();
    const url = await running.url();
    await holdLock(await connectionToRunning(running.data), AdvisoryLock.facts);
    await upload(url, 'ingesting');
    return running;
  },

  async building() {
    const running = await start();
    const url = await running.url();
    await holdLock(await connectionToRunning(running.data), AdvisoryLock.generation);
    await upload(url, 'analyzing');
    return running;
  },

  async delivering() {
    const silent = createServer(() => {});
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    undos.push(() => {
      silent.closeAllConnections();
      silent.close();
    });
    const running = await start();
    const { call } = await signedIn(await running.url());
    const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    const called = once(silent, 'request');
    const { id } = await call('POST', 'webhooks', { name: 'x', url: address, event_types: ['job.failed'] });
    await call('POST', `webhooks/${id}/test`);
    await called;
    return running;
  },

  async draining() {
    const running = await start();
    const url = new URL(await running.url());
    const { token, call } = await signedIn(url.origin);
    const { id } = await call('POST', 'file-upload/start');
    // Half a body, a silent connection, and a query that does not end by itself.
    const half = request(url, {
      ...{ method: 'POST', path: `/api/v2/file-upload/${id}` },
      headers: {
        ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        'content-length': '1000000',
      },
    });
    half.on('error', () => {});
    half.write('{"data": [');
    const silent = connect(Number(url.port), url.hostname);
    silent.on('error', () => {});
    undos.push(() => silent.destroy());
    const query = "WITH reduce(s = 'a', x IN range(1, 23) | s + s) AS b RETURN b =~ '(.*a){200}b'";
    void call('POST', 'graphs/cypher', { query }).catch(() => {});
    await sleep(1_000);
    return running;
  },
};

test.skipIf(process.platform !== 'linux').each(Object.keys(STATES))(
  'while it is %s',
  async (state) => {
    const { child, data } = await STATES[state]();
    let postmaster: number | undefined;
    try {
      postmaster = postmasterOf(data);
    } catch {
      // Not started yet, or on another server.
    }
    const ended = once(child, 'exit');
    const sent = Date.now();
    child.kill('SIGTERM');
    await ended;
    expect(Date.now() - sent).toBeLessThan(MAX_END_MS);
    // The database has also ended; its process exists until its parent reaps it.
    if (postmaster !== undefined)
      await vi.waitUntil(() => !existsSync(`/proc/${postmaster}`), { timeout: 100_000, interval: 50 });
  },
  180_000,
);
