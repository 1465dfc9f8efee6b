/** A disposable PostgreSQL with a migrated database to copy. The next process removes the leftovers of a killed one. */
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FINDING_TYPES } from '@clew/analysis';
import { EmbeddedPostgres, installedPostgresVersion, stopLeftovers } from '@clew/embedded';
import { silentLog } from '@clew/embedded/testing';
import { DEFAULT_SELECTORS, EDGE_KINDS, NODE_KINDS } from '@clew/model';
import { connectDatabase } from '../src/database.ts';
import { migrate } from '../src/migrate.ts';
import { MIGRATIONS } from '../src/migrations/index.ts';
import { makeDatabase } from './databases.ts';
import { isAlive } from './isAlive.ts';
import type { SharedServer } from './sharedServers.ts';

/** Templates of this user's tests, and servers without another directory. */
export const ROOT = join(tmpdir(), `clew-test-${process.getuid?.() ?? 'user'}`);

const TEMPLATE_PREFIX = 'template-';
const MIGRATED = 'migrated';
const DAY_MS = 86_400_000;

export interface TestServer extends SharedServer {
  stop(): Promise<void>;
}

let template: Promise<string> | undefined;

/** @param parent directory for its files */
export async function startTestServer(parent = ROOT): Promise<TestServer> {
  mkdirSync(ROOT, { recursive: true, mode: 0o755 });
  await sweep();
  template ??= makeTemplate();
  const directory = ownDirectory(parent);
  copy(await template, directory);
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

/** A digest of everything that determines a migrated database: the template is rebuilt when it changes. */
function templateKey(): string {
  const sources = ['migrate.ts', 'registerKinds.ts', 'defaultZones.ts'].map((name) =>
    readFileSync(join(import.meta.dirname, '../src', name), 'utf8'),
  );
  const parts = [MIGRATIONS, NODE_KINDS, EDGE_KINDS, DEFAULT_SELECTORS, FINDING_TYPES, sources];
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
  return `${TEMPLATE_PREFIX}${installedPostgresVersion()}-${digest}`;
}

/**
 * Initializing a cluster takes almost a second and the migrations about half a second; copying takes a tenth of that. The next test process
 * reuses the template.
 */
async function makeTemplate(): Promise<string> {
  const template = join(ROOT, templateKey());
  if (existsSync(template)) return template;
  const draft = ownDirectory(ROOT);
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
    // Another test process created it first.
    rmSync(draft, { recursive: true });
  }
  return template;
}

function ownDirectory(parent: string): string {
  return join(parent, `${process.pid}-${randomBytes(4).toString('hex')}`);
}

/** Keeps owners: as root, the cluster belongs to the user who runs the database. */
function copy(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`cannot copy ${from}: ${stderr}`);
}

/** Ends and removes the leftovers of killed test processes, and outdated templates. */
async function sweep(): Promise<void> {
  for (const name of readdirSync(ROOT)) {
    if (name.startsWith(TEMPLATE_PREFIX)) sweepTemplate(name);
    const pid = Number(/^(\d+)[-.]/.exec(name)?.[1]);
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    await stopLeftovers(join(ROOT, name, 'postgres')).catch(() => {});
    rmSync(join(ROOT, name), { recursive: true, force: true });
  }
}

/** Removes a template that is older than a day; another checkout that still uses it creates it again. */
function sweepTemplate(name: string): void {
  if (name === templateKey()) return;
  const madeAt = statSync(join(ROOT, name), { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  if (Date.now() - madeAt > DAY_MS) rmSync(join(ROOT, name), { recursive: true, force: true });
}
