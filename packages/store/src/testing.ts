/**
 * A real PostgreSQL for tests: one server per test process, a fresh migrated database per call. The server ends when the
 * last database is closed; what a killed test process leaves behind, the next one sweeps away.
 *
 *   const database = await startTestDatabase();   // in beforeAll
 *   await database.close();                       // in afterAll
 */
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FINDING_TYPES } from '@clew/analysis';
import { EmbeddedPostgres, installedPostgresVersion, stopLeftovers } from '@clew/embedded';
import { silentLog } from '@clew/embedded/testing';
import { DEFAULT_SELECTORS, EDGE_KINDS, NODE_KINDS } from '@clew/model';
import type { ClientConfig } from 'pg';
import { connectDatabase, type Database } from './database.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations/index.ts';

const ROOT = join(tmpdir(), `clew-test-${process.getuid?.() ?? 'user'}`);

const TEMPLATE_PREFIX = 'template-';
const DAY_MS = 86_400_000;

export { silentLog };

/** Address of a PostgreSQL for the tests instead of one of their own, with a user who may make databases. */
export const TEST_DATABASE_VARIABLE = 'CLEW_TEST_DATABASE_URL';

interface TestServer {
  readonly connection: ClientConfig;
  /** A migrated database to copy; a server that is not ours has none. */
  readonly migrated: string | undefined;
  stop(): Promise<void>;
}

let server: Promise<TestServer> | undefined;
let made = 0;
let open = 0;

export interface TestDatabaseOptions {
  /** Default true: all migrations applied. */
  readonly migrated?: boolean;
}

export async function startTestDatabase(options: TestDatabaseOptions = {}): Promise<Database> {
  open++;
  server ??= startServer();
  const { connection, migrated } = await server;
  const name = `test_${process.pid}_${++made}`;
  const isMigrated = options.migrated ?? true;
  const template = isMigrated ? migrated : undefined;
  await makeDatabase(connection, name, template);
  const database = connectDatabase({ ...connection, database: name }, silentLog);
  if (isMigrated && template === undefined) await migrate(database.pool);
  return {
    ...database,
    close: async () => {
      await database.close();
      if (--open === 0) await stopServer();
    },
  };
}

async function makeDatabase(connection: ClientConfig, name: string, template = 'template1'): Promise<void> {
  const admin = connectDatabase(connection, silentLog, { maxConnections: 1 });
  await admin.pool.query(`create database ${name} template ${template}`);
  await admin.close();
}

async function stopServer(): Promise<void> {
  const running = server;
  server = undefined;
  await (await running)?.stop();
}

async function startServer(): Promise<TestServer> {
  const address = process.env[TEST_DATABASE_VARIABLE];
  if (address !== undefined) {
    // A connection string would win over the name of the database that each test gets.
    const { hostname, port, username, password } = new URL(address);
    const connection = {
      host: decodeURIComponent(hostname),
      port: Number(port),
      user: username,
      password,
      database: 'postgres',
    };
    return { connection, migrated: undefined, stop: async () => {} };
  }
  mkdirSync(ROOT, { recursive: true, mode: 0o755 });
  await sweep();
  const template = await makeTemplate();
  const directory = ownDirectory();
  copy(template, directory);
  const embedded = await EmbeddedPostgres.start({ directory, log: silentLog, tuning: { durable: false } });
  return {
    connection: embedded.connection,
    migrated: MIGRATED,
    async stop() {
      await embedded.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const MIGRATED = 'migrated';

/** What decides how a migrated database looks: the template is made again when any of it changes. */
function templateKey(): string {
  const sources = ['migrate.ts', 'registerKinds.ts', 'defaultZones.ts'].map((name) =>
    readFileSync(join(import.meta.dirname, name), 'utf8'),
  );
  const parts = [MIGRATIONS, NODE_KINDS, EDGE_KINDS, DEFAULT_SELECTORS, FINDING_TYPES, sources];
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
  return `${TEMPLATE_PREFIX}${installedPostgresVersion()}-${digest}`;
}

/**
 * Initializing a cluster takes most of a second and the migrations about half of one; copies take a tenth of that. The
 * template stays for the next test process.
 */
async function makeTemplate(): Promise<string> {
  const template = join(ROOT, templateKey());
  if (existsSync(template)) return template;
  const draft = ownDirectory();
  const server = await EmbeddedPostgres.start({
    directory: draft,
    log: silentLog,
    tuning: { durable: false },
  });
  await makeDatabase(server.connection, MIGRATED);
  const database = connectDatabase({ ...server.connection, database: MIGRATED }, silentLog);
  await migrate(database.pool);
  await database.close();
  await server.stop();
  try {
    renameSync(draft, template);
  } catch {
    // Another test process was faster.
    rmSync(draft, { recursive: true });
  }
  return template;
}

function ownDirectory(): string {
  return join(ROOT, `${process.pid}-${randomBytes(4).toString('hex')}`);
}

/** With owners: as root, the cluster belongs to the user who runs the database. */
function copy(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`cannot copy ${from}: ${stderr}`);
}

/** Ends and removes what test processes left that were killed, and templates of code that has changed since. */
async function sweep(): Promise<void> {
  for (const name of readdirSync(ROOT)) {
    if (name.startsWith(TEMPLATE_PREFIX)) sweepTemplate(name);
    const pid = Number(/^(\d+)-/.exec(name)?.[1]);
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    await stopLeftovers(join(ROOT, name, 'postgres')).catch(() => {});
    rmSync(join(ROOT, name), { recursive: true, force: true });
  }
}

/** One that is a day old may still be that of another checkout, which then makes it again. */
function sweepTemplate(name: string): void {
  if (name === templateKey()) return;
  const madeAt = statSync(join(ROOT, name), { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  if (Date.now() - madeAt > DAY_MS) rmSync(join(ROOT, name), { recursive: true, force: true });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
