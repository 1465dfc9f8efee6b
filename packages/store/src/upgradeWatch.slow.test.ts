/** Tests upgrades of a database that other processes use: what those see, and what the steps wait for. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { silentLog, startTestDatabase } from '../test/index.ts';
import { AdvisoryLock } from './advisoryLocks.ts';
import type { Database } from './database.ts';
import { applyMigrations, migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { surroundingsFault } from './surroundings.ts';
import { expectOwnTables } from './upgradeLocks.ts';
import { type TableState, watchUpgrades } from './upgradeWatch.ts';

let database: Database;
let made = 0;
const until = (isDone: () => boolean | Promise<boolean>): Promise<boolean> =>
  vi.waitUntil(isDone, { timeout: 30_000, interval: 10 });
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());

/** A step of a version that does not exist yet. @param sql default: a table of its own */
const future = (sql?: string) => {
  const name = `9${String(++made).padStart(2, '0')}-future`;
  return { name, sql: sql ?? `create table future_${made} (id integer)` };
};
const withFuture = (...steps: ReturnType<typeof future>[]) => [...MIGRATIONS, ...steps];

/** Deletes the record of future steps, so that the next test begins with the present version. */
const forget = () => database.pool.query("delete from migration where name like '9%-future'");

async function clientOf({ connection }: Database, applicationName = 'test'): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, application_name: applicationName });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Runs `use` while a process of the present version watches. */
async function watched(use: (states: readonly TableState[]) => Promise<void>): Promise<void> {
  const states: TableState[] = [];
  const known = MIGRATIONS.map(({ name }) => name);
  const onChange = (state: TableState): void => void states.push(state);
  const watch = watchUpgrades({ database, known, onChange, log: silentLog });
  try {
    await until(async () => {
      const { rowCount } = await database.pool.query(
        "select from pg_stat_activity where query = 'listen clew_upgrade' and datname = current_database()",
      );
      return rowCount === 1;
    });
    await use(states);
  } finally {
    await watch.stop();
    await forget();
  }
}

it('a running process learns of an upgrade before the first step, and of its end', async () => {
  await watched(async (states) => {
    let before: readonly TableState[] | undefined;
    const step = future();
    await database.pool.query('create table witness (at integer)');
    const upgrade = migrate(database.pool, withFuture(step), {
      onDelay: () => {
        before = [...states];
      },
    });
    await until(() => states.length === 1);
    // The step waits for the notice to reach all processes.
    const { rows } = await database.pool.query("select to_regclass('future_1') as found");
    expect([states, rows[0].found]).toEqual([['changing'], null]);
    expect(await upgrade).toEqual([step.name]);
    await until(() => states.length === 2);
    expect(states).toEqual(['changing', 'newer']);
    expect(before).toBeDefined();
  });
});

it('another process is seen, even if its role, and not that of the upgrade, may see its queries', async () => {
  await database.pool.query(
    "create role upgrader login password 'upgrader'; grant create, usage on schema public to upgrader",
  );
  await database.pool.query('grant select, insert on migration to upgrader');
  const upgrader = new pg.Pool({ ...database.connection, user: 'upgrader', password: 'upgrader', max: 1 });
  try {
    await watched(async () => {
      const { rows } = await upgrader.query(
        "select query from pg_stat_activity where application_name like 'clew%' and query ilike 'listen %'",
      );
      expect(rows).toEqual([]);
      const reasons: string[] = [];
      const step = future();
      await applyMigrations(upgrader, withFuture(step), { onDelay: (reason) => reasons.push(reason) });
      expect(reasons).toEqual([expect.stringContaining('other processes use the database')]);
    });
  } finally {
    await upgrader.end();
    await database.pool.query('drop owned by upgrader; drop role upgrader');
  }
});

it('a process that starts during an upgrade, and works before it learns of it, is waited for', async () => {
  const worker = await clientOf(database, 'test');
  await worker.query('select pg_advisory_lock($1)', [AdvisoryLock.plans]);
  const step = future();
  const upgrade = migrate(database.pool, withFuture(step));
  await until(async () => {
    const { rowCount } = await database.pool.query(
      "select from pg_locks where locktype = 'advisory' and objid = $1 and not granted",
      [AdvisoryLock.plans],
    );
    return rowCount === 1;
  });
  expect((await database.pool.query('select from migration where name = $1', [step.name])).rowCount).toBe(0);
  await worker.end();
  expect(await upgrade).toEqual([step.name]);
  await forget();
});

it('a transaction that expects its own tables is refused during an upgrade and after it, and an upgrade waits for it', async () => {
  const writer = await clientOf(database);
  const known = MIGRATIONS.map(({ name }) => name);
  const refusal = 'a newer version changes the tables';
  try {
    await writer.query('begin');
    await expectOwnTables(writer, known);
    // A process that looks now sees no upgrade.
    await watched(async (states) => {
      await database.pool.query("select pg_notify('clew_upgrade', 'end')");
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(states).toEqual([]);
    });
    const step = future('select pg_sleep(0.5)');
    const upgrade = migrate(database.pool, withFuture(step));
    const isWaiting = () =>
      database.pool.query("select from pg_locks where locktype = 'advisory' and objid = $1 and not granted", [
        AdvisoryLock.upgrade,
      ]);
    await until(async () => (await isWaiting()).rowCount === 1);
    await writer.query('commit');
    await until(async () => {
      await writer.query('begin');
      try {
        await expectOwnTables(writer, known);
        return false;
      } catch (error) {
        expect([(error as Error).message, surroundingsFault(error)]).toEqual([
          refusal,
          expect.stringContaining('a newer version is upgrading the database'),
        ]);
        return true;
      } finally {
        await writer.query('rollback');
      }
    });
    await upgrade;
    await writer.query('begin');
    await expect(expectOwnTables(writer, known)).rejects.toThrow(refusal);
    await writer.query('rollback');
    await forget();
    await writer.query('begin');
    await expectOwnTables(writer, known);
  } finally {
    await writer.end();
  }
});

it('a process writes again if an upgrade ends without a change, even if its process was killed', async () => {
  await watched(async (states) => {
    await expect(migrate(database.pool, withFuture(future('select 1/0')))).rejects.toThrow(
      'division by zero',
    );
    await until(() => states.length === 2);
    expect(states).toEqual(['changing', 'current']);
    const killed = await clientOf(database);
    await killed.query('select pg_advisory_lock($1)', [AdvisoryLock.upgrade]);
    await killed.query("select pg_notify('clew_upgrade', 'begin')");
    await until(() => states.length === 3);
    await killed.end();
    await until(() => states.length === 4);
    expect(states.slice(2)).toEqual(['changing', 'current']);
  });
});

it('a start without steps announces nothing', async () => {
  await watched(async (states) => {
    await migrate(database.pool);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(states).toEqual([]);
  });
});

it('no step runs while a worker of an older version works', async () => {
  const worker = await clientOf(database, 'clew worker');
  await worker.query('select pg_advisory_lock($1)', [AdvisoryLock.ingest]);
  await worker.query('listen clew_wake');
  const reasons: string[] = [];
  const step = future();
  const upgrade = migrate(database.pool, withFuture(step), { onDelay: (reason) => reasons.push(reason) });
  await until(async () => {
    const { rowCount } = await database.pool.query(
      "select from pg_locks where locktype = 'advisory' and objid = $1 and not granted",
      [AdvisoryLock.ingest],
    );
    return rowCount === 1;
  });
  expect(reasons).toEqual([expect.stringContaining('other processes use the database')]);
  await worker.end();
  expect(await upgrade).toEqual([step.name]);
  await forget();
});

it('a step that waits for a long reader does not stop other readers, and is applied after it', async () => {
  const reader = await clientOf(database);
  await reader.query('begin; select from finding_type limit 1');
  const reasons: string[] = [];
  const step = future('alter table finding_type add column future integer');
  const upgrade = migrate(database.pool, withFuture(step), { onDelay: (reason) => reasons.push(reason) });
  try {
    await until(() => reasons.length === 1);
    expect(reasons).toEqual([expect.stringContaining(`${step.name} waits for a long statement`)]);
    await database.pool.query('select from finding_type limit 1');
  } finally {
    await reader.query('rollback');
    await reader.end();
  }
  expect(await upgrade).toEqual([step.name]);
  await database.pool.query('alter table finding_type drop column future');
  await forget();
});

it('limits of the database for statements do not apply to steps', async () => {
  await database.pool.query(
    "do $$ begin execute format('alter database %I set statement_timeout = 300', current_database()); end $$",
  );
  const limited = await startLimited();
  try {
    const step = future('select pg_sleep(0.8)');
    expect(await migrate(limited, withFuture(step))).toEqual([step.name]);
    await expect(limited.query('select pg_sleep(0.8)')).rejects.toThrow('statement timeout');
  } finally {
    await limited.end();
    await database.pool.query(
      "do $$ begin execute format('alter database %I reset statement_timeout', current_database()); end $$",
    );
    await forget();
  }
});

async function startLimited(): Promise<pg.Pool> {
  const pool = new pg.Pool({ ...database.connection, max: 1 });
  pool.on('error', () => {});
  return pool;
}
