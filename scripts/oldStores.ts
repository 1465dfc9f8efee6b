/**
 * Makes the stores of earlier versions that the tests of upgrades open: `packages/store/test/oldStores`. Each store is filled by a
 * service of its version over HTTP, ends in the middle of an ingest, and is backed up by this version, which can write the tables of all
 * versions. Next to it is a file with answers of the old service, which the upgraded one has to repeat.
 *
 * Usage: node scripts/launch.mjs scripts/oldStores.ts [--trees DIRECTORY] [NAME...]
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { EmbeddedPostgres } from '@clew/embedded';
import { generateForest, writeForestZip } from '@clew/synthetic';
import pg from 'pg';
import { writeBackup } from '../packages/store/src/backup/writeBackup.ts';
import { OLD_KEY, OLD_PASSWORD, OLD_STORES, STORES } from '../packages/store/test/oldStores/oldStores.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  // Keeps the installed checkouts there, for another run.
  options: { trees: { type: 'string' } },
});
const ROOT = join(import.meta.dirname, '..');
const PORT = 8391;
const URL_OF_OLD = `http://127.0.0.1:${PORT}`;
const log = { debug() {}, info() {}, warn() {}, error: console.error };

const run = (command: string, args: readonly string[], cwd: string): void => {
  const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
};

type Json = Record<string, unknown>;

/** Asks the old service, whose answers need not fit the client of this version. */
class OldService {
  #token = '';

  async ask(method: string, path: string, body?: unknown): Promise<{ data: never } & Json> {
    const isFile = Buffer.isBuffer(body);
    const answer = await fetch(`${URL_OF_OLD}/api/v2/${path}`, {
      method,
      headers: {
        ...(this.#token && { Authorization: `Bearer ${this.#token}` }),
        ...(body !== undefined && { 'Content-Type': isFile ? 'application/zip' : 'application/json' }),
      },
      ...(body !== undefined && { body: isFile ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? ({ data: undefined as never } as never) : JSON.parse(text);
  }

  async signIn(): Promise<void> {
    const body = { login_method: 'secret', username: 'admin', secret: OLD_PASSWORD };
    const { data } = await this.ask('POST', 'login', body);
    this.#token = (data as Json).session_token as string;
  }

  /** @returns the id of its job, which is waiting or being ingested */
  async upload(zip: string): Promise<number> {
    const { data } = await this.ask('POST', 'file-upload/start');
    const { id } = data as { id: number };
    await this.ask('POST', `file-upload/${id}`, readFileSync(zip));
    await this.ask('POST', `file-upload/${id}/end`);
    return id;
  }

  async waitFor(job: number, statuses: readonly number[]): Promise<void> {
    for (;;) {
      const { data } = await this.ask('GET', `file-upload?id=eq:${job}`);
      if (statuses.includes((data as Json[])[0].status as number)) return;
      await sleep(50);
    }
  }
}

const COMPLETE = 2;
const INGESTING = 6;

async function fill(service: OldService, directory: string): Promise<{ job: number; answers: Json }> {
  await service.signIn();
  const first = join(directory, 'first.zip');
  await writeForestZip(generateForest({ users: 40, seed: 5, domains: 1 }), first);
  const job = await service.upload(first);
  await service.waitFor(job, [COMPLETE]);
  const { data: user } = await service.ask('POST', 'bloodhound-users', {
    ...{ principal: 'ann', first_name: 'Ann', last_name: 'Lee', email_address: 'ann@example.com' },
    ...{ roles: [3], secret: OLD_PASSWORD, needs_password_reset: false },
  });
  const { data: self } = await service.ask('GET', 'self');
  const { data: token } = await service.ask('POST', 'tokens', {
    user_id: (self as Json).id,
    token_name: 'kept',
  });
  const query = 'MATCH (u:User) RETURN u';
  await service.ask('POST', 'saved-queries', { name: 'all users', query });
  const { data: zone } = await service.ask('POST', 'asset-group-tags', {
    ...{ name: 'Crown jewels', type: 2, description: 'Kept by upgrades' },
  });
  const { data: statistics } = await service.ask('GET', 'graphs/statistics').catch(() => ({ data: {} }));
  const { count: findings } = await service.ask('GET', 'attack-paths/findings?limit=1').catch(() => ({
    count: null,
  }));
  const answers = {
    user: (user as Json).id,
    token: { id: (token as Json).id, key: (token as Json).key },
    query,
    zone: ((zone as Json).tag as Json | undefined)?.name ?? (zone as Json).name,
    collected: (statistics as Json).collected ?? null,
    findings,
  };
  return { job, answers };
}

async function make({ name, commit }: (typeof OLD_STORES)[number]): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'clew-old-'));
  const tree = join(values.trees ?? directory, name);
  const isKept = existsSync(join(tree, 'node_modules'));
  if (!isKept) run('git', ['worktree', 'add', '--detach', tree, commit], ROOT);
  let child: ChildProcess | undefined;
  const server = await EmbeddedPostgres.start({ directory: join(directory, 'database'), log });
  try {
    if (!isKept) run('npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error'], tree);
    const { host, user, password, database } = server.connection;
    const address = `postgres://${user}:${password}@${encodeURIComponent(host as string)}/${database}`;
    child = spawn(join(tree, 'node_modules/.bin/node'), ['packages/cli/src/main.ts', 'serve'], {
      cwd: tree,
      stdio: ['ignore', 'pipe', 2],
      env: {
        ...{ PATH: process.env.PATH, HOME: directory, CLEW_DATA_DIR: join(directory, 'data') },
        ...{ CLEW_DATABASE_URL: address, CLEW_SECRET_KEY: OLD_KEY, CLEW_ADMIN_PASSWORD: OLD_PASSWORD },
        ...{ CLEW_PORT: String(PORT), CLEW_RATE_LIMIT: '0', CLEW_LOG_LEVEL: 'warn' },
      },
    });
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    const service = new OldService();
    const { job, answers } = await fill(service, directory);
    // The ingest waits for this lock, and the service is killed meanwhile.
    const client = new pg.Client(server.connection);
    await client.connect();
    await client.query('begin; lock table node in exclusive mode');
    const second = join(directory, 'second.zip');
    await writeForestZip(generateForest({ users: 30, seed: 6, domains: 1 }), second);
    const interrupted = await service.upload(second);
    await service.waitFor(interrupted, [INGESTING]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await client.query('rollback');
    await client.end();
    await sleep(500);
    const file = join(STORES, `${name}.backup`);
    rmSync(file, { force: true });
    const now = new Date('2026-06-01T00:00:00Z');
    const { bytes } = await writeBackup({ connection: server.connection, file, now });
    const recorded = { commit, jobs: { complete: job, interrupted }, ...answers };
    writeFileSync(join(STORES, `${name}.json`), `${JSON.stringify(recorded, null, 2)}\n`);
    process.stdout.write(`${file}: ${bytes} bytes\n`);
  } finally {
    child?.kill('SIGKILL');
    await server.stop();
    if (values.trees === undefined) run('git', ['worktree', 'remove', '--force', tree], ROOT);
    rmSync(directory, { recursive: true, force: true });
  }
}

for (const store of OLD_STORES)
  if (positionals.length === 0 || positionals.includes(store.name)) await make(store);
