/**
 * Runs the migrations and the tests of this package on the PostgreSQL of the operating system, from the documented minimum version on; an
 * older one is refused with a message that names both versions.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { databaseProcessOwner } from '@clew/embedded';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { silentLog, TEST_DATABASE_VARIABLE } from '../test/index.ts';
import { connectDatabase, type Database } from './database.ts';
import { MIN_SERVER_VERSION, migrate } from './migrate.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
/** The directory in which Debian and its derivatives install versions; another one for a manual run. */
const INSTALLED = process.env.CLEW_TEST_POSTGRES_DIRECTORY ?? '/usr/lib/postgresql';
const MIN_MAJOR = MIN_SERVER_VERSION / 10_000;
const PORT = 5432;
const PASSWORD = 'of-this-test-alone';
const DATABASE = ['-E', 'UTF8', '--locale=C', '--no-sync'];

const versions = existsSync(INSTALLED)
  ? readdirSync(INSTALLED).filter((name) => existsSync(join(INSTALLED, name, 'bin', 'initdb')))
  : [];

it('the documentation names the minimum version that the code requires', () => {
  const text = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
  expect(text).toContain(`PostgreSQL ${MIN_MAJOR} or later`);
});

describe.each(versions)('PostgreSQL %s of the system', (version) => {
  let directory: string;
  let server: ChildProcess;
  let database: Database;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'clew-system-'));
    const { uid, gid } = databaseProcessOwner();
    if (uid !== undefined && gid !== undefined) await chown(directory, uid, gid);
    await chmod(directory, 0o755);
    const cluster = join(directory, 'cluster');
    const program = (name: string): string => join(INSTALLED, version, 'bin', name);
    const passwordFile = join(directory, 'password');
    await writeFile(passwordFile, PASSWORD);
    const owner = { uid, gid, cwd: directory };
    const made = spawnSync(
      program('initdb'),
      ['-D', cluster, '-U', 'clew', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, ...DATABASE],
      { ...owner, encoding: 'utf8' },
    );
    expect(made.status, made.stderr).toBe(0);
    const settings = ['fsync=off', 'listen_addresses=', `unix_socket_directories=${directory}`];
    server = spawn(
      program('postgres'),
      ['-D', cluster, '-p', String(PORT), ...settings.flatMap((setting) => ['-c', setting])],
      { ...owner, stdio: 'ignore' },
    );
    await vi.waitUntil(() => existsSync(join(directory, `.s.PGSQL.${PORT}`)), { timeout: 100_000 });
    const connection = {
      host: directory,
      port: PORT,
      user: 'clew',
      password: PASSWORD,
      database: 'postgres',
    };
    database = connectDatabase(connection, silentLog, { maxConnections: 2 });
    await vi.waitUntil(() => database.pool.query('select 1').catch(() => undefined), { timeout: 100_000 });
  }, 90_000);

  afterAll(async () => {
    await database?.close();
    if (server !== undefined && server.exitCode === null) {
      server.kill('SIGINT');
      await once(server, 'exit');
    }
    await rm(directory, { recursive: true, force: true });
  }, 30_000);

  it.runIf(Number(version) < MIN_MAJOR)('is refused, and nothing is created in it', async () => {
    await expect(migrate(database.pool)).rejects.toThrow(
      `PostgreSQL ${MIN_MAJOR} or later is required, this is ${version}`,
    );
    const { rows } = await database.pool.query(`select from pg_tables where schemaname = 'public'`);
    expect(rows).toEqual([]);
  });

  it.runIf(Number(version) >= MIN_MAJOR)(
    'accepts the migrations, and the tests of the store pass on it',
    async () => {
      await migrate(database.pool);
      const address = `postgres://clew:${PASSWORD}@${encodeURIComponent(directory)}:${PORT}/postgres`;
      const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
      const tests = spawn(
        process.execPath,
        [
          vitest,
          'run',
          'packages/store/src',
          '--exclude',
          '**/systemPostgres.slow.test.ts',
          '--maxWorkers=1',
        ],
        { cwd: ROOT, env: { ...process.env, [TEST_DATABASE_VARIABLE]: address } },
      );
      let said = '';
      for (const stream of [tests.stdout, tests.stderr])
        stream.on('data', (text) => {
          said += text;
        });
      const [code] = await once(tests, 'close');
      expect(code, said).toBe(0);
    },
    300_000,
  );
});
