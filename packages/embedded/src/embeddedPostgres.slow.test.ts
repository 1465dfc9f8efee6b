import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../test/index.ts';
import { findBinaries } from './binaries.ts';
import { DirectoryInUseError, lockDirectory } from './directoryLock.ts';
import { EmbeddedPostgres } from './embeddedPostgres.ts';
import { stopLeftovers } from './leftovers.ts';
import { databaseProcessOwner } from './processOwner.ts';

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

const eventually = <T>(work: () => Promise<T>) => vi.waitFor(work, { timeout: 100_000, interval: 20 });

describe('the embedded database', () => {
  it('is durable, and sorts and maps case by Unicode code points', async () => {
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

  it('keeps its data and its password private', () => {
    for (const file of ['database.secret', 'clew.lock', 'clew.lock-journal', 'clew.holder'])
      expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(server.connection.host).mode & 0o777).toBe(0o700);
  });

  it('accepts one Clew at a time', async () => {
    const second = EmbeddedPostgres.start({ directory, log: silentLog });
    await expect(second).rejects.toThrow(DirectoryInUseError);
    await expect(second).rejects.toThrow(`another Clew is using ${directory} (pid ${process.pid} on `);
  });

  it('keeps committed data over a stop and a start', async () => {
    await pool.query('create table kept as select 42 as answer');
    await stop();
    await start();
    expect((await pool.query('select answer from kept')).rows).toEqual([{ answer: 42 }]);
  });

  it('restarts when its process is killed, and the pool reconnects', async () => {
    await pool.query('create table survived as select 1 as one');
    const killed = server.pid as number;
    process.kill(killed, 'SIGKILL');
    // An idle session may answer once more before it notices.
    await eventually(async () => {
      expect(server.pid).not.toBe(killed);
      await pool.query('select one from survived');
    });
  });

  it('restarts when one of its sessions is killed', async () => {
    const { rows } = await pool.query('select pg_backend_pid() as pid');
    process.kill(rows[0].pid, 'SIGKILL');
    await eventually(() => pool.query('select one from survived'));
  });

  it('releases the directory when it is stopped', async () => {
    await stop();
    const lock = await lockDirectory(directory);
    await lock.release();
    await start();
  });
});

describe('a start', () => {
  it('from a copy of a running data directory does not affect the original', async () => {
    const copy = join(root, 'copy');
    await pool.query('checkpoint');
    cpSync(directory, copy, { recursive: true, filter: (path) => !/PGSQL|clew\.lock/.test(path) });
    const owner = databaseProcessOwner();
    if (owner.uid !== undefined)
      spawnSync('chown', ['-R', `${owner.uid}:${owner.gid}`, join(copy, 'postgres')]);
    const other = await EmbeddedPostgres.start({ directory: copy, log: silentLog });
    const client = new pg.Client(other.connection);
    await client.connect();
    expect((await client.query('select one from survived')).rows).toHaveLength(1);
    expect((await pool.query('select one from survived')).rows).toHaveLength(1);
    await client.end();
    await other.stop();
    expect((await pool.query('select one from survived')).rows).toHaveLength(1);
  });

  it('without the database password fails, reports what is missing, and leaves nothing behind', async () => {
    const copy = join(root, 'no-secret');
    cpSync(join(root, 'copy'), copy, { recursive: true, filter: (path) => !path.endsWith('.secret') });
    await expect(EmbeddedPostgres.start({ directory: copy, log: silentLog })).rejects.toThrow(
      /database\.secret is missing or empty.*restore it/,
    );
    await (await lockDirectory(copy)).release();
  });

  it('with a wrong password fails after its database has ended', async () => {
    const copy = join(root, 'copy');
    const secret = readFileSync(join(copy, 'database.secret'));
    writeFileSync(join(copy, 'database.secret'), 'wrong\n');
    await expect(EmbeddedPostgres.start({ directory: copy, log: silentLog })).rejects.toThrow(/password/);
    await (await lockDirectory(copy)).release();
    expect(await stopLeftovers(join(copy, 'postgres'))).toBe(0);
    writeFileSync(join(copy, 'database.secret'), secret, { mode: 0o600 });
  });

  it('restricts access to a password that others may read', async () => {
    const copy = join(root, 'copy');
    chmodSync(join(copy, 'database.secret'), 0o644);
    const other = await EmbeddedPostgres.start({ directory: copy, log: silentLog });
    expect(statSync(join(copy, 'database.secret')).mode & 0o777).toBe(0o600);
    await other.stop();
  });

  it('works in a directory whose path is too long for a socket', async () => {
    const long = join(root, 'x'.repeat(120));
    const other = await EmbeddedPostgres.start({ directory: long, log: silentLog });
    const client = new pg.Client(other.connection);
    await client.connect();
    await client.end();
    await other.stop();
    expect(existsSync(other.connection.host)).toBe(false);
  });

  it('does not trust the file that names the owner of the lock', async () => {
    writeFileSync(
      join(directory, 'clew.holder'),
      `pid 1 on \u001b[31mevil\u001b[0m ${'x'.repeat(1_000_000)}`,
    );
    await expect(lockDirectory(directory)).rejects.toThrow(new RegExp(`another Clew is using ${directory}$`));
  });

  it('says why a data directory cannot be used', async () => {
    const file = join(directory, 'clew.holder');
    await expect(lockDirectory(file)).rejects.toThrow(
      `${file} cannot be used: it is a file, not a directory`,
    );
    const broken = join(directory, 'broken');
    mkdirSync(join(broken, 'clew.lock'), { recursive: true });
    await expect(lockDirectory(broken)).rejects.toThrow(`${broken} cannot be used: it is not writable`);
    rmSync(broken, { recursive: true });
  });

  // Needs separate namespaces, which only root may create.
  it.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
    'detects a Clew in another container by its lock, and a database there by its socket',
    async () => {
      const script = `
        import { lockDirectory, stopLeftovers } from '${new URL('index.ts', import.meta.url).pathname}';
        const refusals = [];
        for (const attempt of [() => lockDirectory('${directory}'), () => stopLeftovers('${join(directory, 'postgres')}')])
          await attempt().catch((error) => refusals.push(error.name));
        process.stdout.write(refusals.join(' '));`;
      const inContainer = spawnSync(
        'unshare',
        [
          '--pid',
          '--net',
          '--ipc',
          '--fork',
          '--mount-proc',
          process.execPath,
          '--input-type=module',
          '-e',
          script,
        ],
        { encoding: 'utf8' },
      );
      expect(inContainer.stdout, inContainer.stderr).toBe('DirectoryInUseError UnreachableDatabaseError');
      await pool.query('select one from survived');
      expect(existsSync(join(directory, 'postgres', 'postmaster.pid'))).toBe(true);
    },
  );
});

it('runs the programs from a copy if the installed ones are not accessible', () => {
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
