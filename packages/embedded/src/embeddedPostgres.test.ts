import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findBinaries } from './binaries.ts';
import { DirectoryInUseError, lockDirectory } from './directoryLock.ts';
import { EmbeddedPostgres } from './embeddedPostgres.ts';
import { databaseProcessOwner } from './processOwner.ts';
import { silentLog } from './testing.ts';

const root = mkdtempSync(join(tmpdir(), 'clew-embedded-'));
const directory = join(root, 'data');
let server: EmbeddedPostgres;
let pool: pg.Pool;

const start = async (): Promise<void> => {
  server = await EmbeddedPostgres.start({ directory, log: silentLog });
  pool = new pg.Pool(server.connection);
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
};
const stop = async (): Promise<void> => {
  await pool.end();
  await server.stop();
};

beforeAll(start);
afterAll(async () => {
  await stop();
  rmSync(root, { recursive: true, force: true });
});

const eventually = <T>(work: () => Promise<T>) => vi.waitFor(work, { timeout: 20_000, interval: 20 });

describe('the embedded database', () => {
  it('is durable, and sorts and maps case by code points of Unicode', async () => {
    const { rows } = await pool.query(
      `select current_setting('fsync') || current_setting('synchronous_commit') as durable, upper('ärger é') as upper,
              array(select x from unnest(array['b', 'a', 'B', 'ä']) x order by x) as sorted, current_user as user`,
    );
    expect(rows[0]).toEqual({
      durable: 'onon',
      upper: 'ÄRGER É',
      sorted: ['B', 'a', 'b', 'ä'],
      user: 'clew',
    });
  });

  it('keeps its data and its secret to itself', () => {
    expect(statSync(join(directory, 'database.secret')).mode & 0o777).toBe(0o600);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(server.connection.host).mode & 0o777).toBe(0o700);
  });

  it('is for one Clew at a time', async () => {
    const second = EmbeddedPostgres.start({ directory, log: silentLog });
    await expect(second).rejects.toThrow(DirectoryInUseError);
    await expect(second).rejects.toThrow(`another Clew is using ${directory} (pid ${process.pid})`);
  });

  it('keeps what was committed when it is stopped and started again', async () => {
    await pool.query('create table kept as select 42 as answer');
    await stop();
    await start();
    expect((await pool.query('select answer from kept')).rows).toEqual([{ answer: 42 }]);
  });

  it('comes back when its process is killed, and the pool reconnects', async () => {
    await pool.query('create table survived as select 1 as one');
    const killed = server.pid as number;
    process.kill(killed, 'SIGKILL');
    // A session that was idle may answer once more before it notices.
    await eventually(async () => {
      expect(server.pid).not.toBe(killed);
      await pool.query('select one from survived');
    });
  });

  it('comes back when one of its sessions is killed', async () => {
    const { rows } = await pool.query('select pg_backend_pid() as pid');
    process.kill(rows[0].pid, 'SIGKILL');
    await eventually(() => pool.query('select one from survived'));
  });

  it('frees the directory when it is stopped', async () => {
    await stop();
    const lock = await lockDirectory(directory);
    await lock.release();
    await start();
  });
});

it('runs the programs from a copy where the installed ones are out of reach', () => {
  const copy = join('/var/tmp', `clew-binaries-${process.pid}`);
  try {
    const owner = databaseProcessOwner();
    const installed = findBinaries(owner, copy);
    expect(installed.postgres).toContain('node_modules');
    const copied = findBinaries(owner, copy, () => false);
    expect(copied.postgres.startsWith(copy)).toBe(true);
    expect(copied.majorVersion).toBe(installed.majorVersion);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});
