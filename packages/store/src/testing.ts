/**
 * A real PostgreSQL for tests: one server per test process, a fresh migrated database per call. The server ends when the
 * last database is closed; what a killed test process leaves behind, the next one sweeps away.
 *
 *   const database = await startTestDatabase();   // in beforeAll
 *   await database.close();                       // in afterAll
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres, installedPostgresVersion, stopLeftovers } from '@clew/embedded';
import { silentLog } from '@clew/embedded/testing';
import type { ClientConfig } from 'pg';
import { connectDatabase, type Database } from './database.ts';
import { migrate } from './migrate.ts';

const ROOT = join(tmpdir(), `clew-test-${process.getuid?.() ?? 'user'}`);

export { silentLog };

/** Address of a PostgreSQL for the tests instead of one of their own, with a user who may make databases. */
export const TEST_DATABASE_VARIABLE = 'CLEW_TEST_DATABASE_URL';

interface TestServer {
  readonly connection: ClientConfig;
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
  const { connection } = await server;
  const name = `test_${process.pid}_${++made}`;
  const admin = connectDatabase(connection, silentLog, { maxConnections: 1 });
  await admin.pool.query(`create database ${name}`);
  await admin.close();
  const database = connectDatabase({ ...connection, database: name }, silentLog);
  if (options.migrated ?? true) await migrate(database.pool);
  return {
    ...database,
    close: async () => {
      await database.close();
      if (--open === 0) await stopServer();
    },
  };
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
    return { connection, stop: async () => {} };
  }
  mkdirSync(ROOT, { recursive: true, mode: 0o755 });
  await sweep();
  const template = await makeTemplate();
  const directory = ownDirectory();
  copy(template, directory);
  const embedded = await EmbeddedPostgres.start({ directory, log: silentLog, tuning: { durable: false } });
  return {
    connection: embedded.connection,
    async stop() {
      await embedded.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Initialising takes most of a second, a copy a tenth of that. The template stays for the next test process. */
async function makeTemplate(): Promise<string> {
  const template = join(ROOT, `template-${installedPostgresVersion()}`);
  if (existsSync(template)) return template;
  const draft = ownDirectory();
  const server = await EmbeddedPostgres.start({
    directory: draft,
    log: silentLog,
    tuning: { durable: false },
  });
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

/** Ends and removes what test processes left that were killed. */
async function sweep(): Promise<void> {
  for (const name of readdirSync(ROOT)) {
    const pid = Number(/^(\d+)-/.exec(name)?.[1]);
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    await stopLeftovers(join(ROOT, name, 'postgres')).catch(() => {});
    rmSync(join(ROOT, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
