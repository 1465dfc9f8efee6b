/** Backups by schedule, on a real database, with real files. */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '@clew/common';
import { AdvisoryLock, type Database, ServerClient, verifyBackup } from '@clew/store';
import { silentLog, startTestDatabase } from '@clew/store/testing';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { lastBackup, MAX_KEPT, noteBackup, notedBackups } from './backupHistory.ts';
import { type BackupParts, openBackups } from './scheduledBackups.ts';

const HOUR = 3_600_000;
const PASSPHRASE = 'seven words that no one guesses';
const log = { ...silentLog, info() {} };
let database: Database;
let directory: string;
let now: number;

beforeEach(async () => {
  await database?.close();
  database = await startTestDatabase();
  directory = mkdtempSync(join(tmpdir(), 'clew-scheduled-'));
  now = Date.parse('2026-11-29T02:30:00Z');
  return () => rmSync(directory, { recursive: true, force: true });
});
afterAll(() => database.close());

const opened = (variables: Readonly<Record<string, string>> = {}, more: Partial<BackupParts> = {}) => {
  const env = { CLEW_DATA_DIR: directory, CLEW_BACKUP_DIR: directory, ...variables };
  return openBackups({ database, config: readConfig(env), log, now: () => now, ...more });
};
const files = (): string[] =>
  readdirSync(directory)
    .filter((name) => name.includes('.backup'))
    .sort();
const overview = async (backups: ReturnType<typeof opened>) => {
  const answer = await backups.handlers.ListBackups({} as never, {} as never);
  return (answer as { json: { data: Record<string, unknown> } }).json.data;
};

it('the first backup is made at once, the next when it is due, and older ones than the schedule keeps are deleted', async () => {
  const backups = opened({ CLEW_BACKUP_KEEP: '2', CLEW_BACKUP_HOURS: '6' });
  expect(await overview(backups)).toMatchObject({ schedule: { next_at: new Date(now).toISOString() } });
  await backups.look();
  expect(files()).toEqual(['clew-20261129T023000Z.backup']);
  const [first] = await notedBackups(database.db);
  const shown = { directory, hours: 6, keep: 2, is_encrypted: false, with_key: false };
  expect(await overview(backups)).toEqual({
    schedule: { ...shown, next_at: '2026-11-29T08:30:00.000Z' },
    fault: null,
    backups: [first],
  });
  expect(first).toMatchObject({
    ...{ made_at: '2026-11-29T02:30:00.000Z', file: join(directory, files()[0]), fault: null },
    ...{ is_scheduled: true, is_encrypted: false, with_key: false },
  });
  now += 6 * HOUR - 1;
  await backups.look();
  expect(files()).toHaveLength(1);
  for (const late of [1, 6 * HOUR]) {
    now += late;
    await backups.look();
  }
  expect(files()).toEqual(['clew-20261129T083000Z.backup', 'clew-20261129T143000Z.backup']);
  expect(backups.fault).toBeUndefined();
});

it('is encrypted by the passphrase', async () => {
  await opened({ CLEW_BACKUP_PASSPHRASE: PASSPHRASE }).look();
  const file = join(directory, files()[0]);
  await expect(verifyBackup(file, undefined)).rejects.toThrow('passphrase');
  expect((await verifyBackup(file, PASSPHRASE)).secret_key).toBeUndefined();
});

it('a failure is said until a later one succeeds, which is tried within an hour', async () => {
  const missing = join(directory, 'not there');
  const backups = opened({ CLEW_BACKUP_DIR: missing });
  await backups.look();
  expect(backups.fault).toBe(
    'the scheduled backup of 2026-11-29T02:30:00.000Z failed; see the log for the reason',
  );
  const failed = { file: null, bytes: null, fault: expect.stringContaining(`${missing} is not one`) };
  expect(await overview(backups)).toMatchObject({ fault: backups.fault, backups: [failed] });
  // Failures in a row are one row.
  now += HOUR;
  await backups.look();
  expect(await notedBackups(database.db)).toHaveLength(1);
  mkdirSync(missing);
  now += HOUR - 1;
  await backups.look();
  expect(backups.fault).toContain('T03:30');
  now += 1;
  await backups.look();
  expect(backups.fault).toBeUndefined();
  expect((await notedBackups(database.db)).map(({ fault }) => fault === null)).toEqual([true, false]);
});

it('processes that make none say when one is missing', async () => {
  const worker = opened();
  const api = opened({ CLEW_ROLE: 'api' });
  await api.look();
  expect([files(), api.fault]).toEqual([[], undefined]);
  now += 2 * HOUR + 1;
  await api.look();
  expect(api.fault).toBe('there is no scheduled backup yet');
  expect(await overview(api)).toMatchObject({ fault: api.fault, backups: [] });
  now -= 2 * HOUR + 1;
  await worker.look();
  now += 26 * HOUR;
  await api.look();
  expect([files(), api.fault]).toEqual([[expect.any(String)], undefined]);
  now += 1;
  await api.look();
  expect(api.fault).toBe('no scheduled backup has been made since 2026-11-29T02:30:00.000Z');
});

it('one process at a time makes them', async () => {
  await Promise.all([opened().look(), opened().look(), opened().look()]);
  expect(files()).toHaveLength(1);
  now += 24 * HOUR;
  const other = new ServerClient(database.connection);
  await other.connect();
  try {
    await other.query('select pg_advisory_lock($1)', [AdvisoryLock.backups]);
    await opened().look();
    expect(files()).toHaveLength(1);
  } finally {
    await other.end();
  }
  await opened().look();
  expect(files()).toHaveLength(2);
});

it('one that is ended leaves neither a file nor a failure', async () => {
  await database.pool.query(
    "insert into setting (key, value) values ('long', to_jsonb(repeat(md5(random()::text), 1000000)))",
  );
  const abort = new AbortController();
  const made = opened().look(abort.signal);
  await vi.waitUntil(() => files().some((name) => name.endsWith('.part')), { timeout: 100_000, interval: 1 });
  abort.abort();
  await made;
  expect(files()).toEqual([]);
  expect(await notedBackups(database.db)).toEqual([]);
});

it('they stop during one, and start again', async () => {
  await database.pool.query(
    "insert into setting (key, value) values ('long', to_jsonb(repeat(md5(random()::text), 1000000)))",
  );
  const backups = opened();
  const first = backups.start();
  await vi.waitUntil(() => files().some((name) => name.endsWith('.part')), { timeout: 100_000, interval: 1 });
  await first.stop();
  expect(files()).toEqual([]);
  const locks = await database.pool.query('select from pg_locks where objid = $1', [AdvisoryLock.backups]);
  expect(locks.rowCount).toBe(0);
  const second = backups.start();
  await vi.waitUntil(async () => (await notedBackups(database.db)).length === 1, 60_000);
  await second.stop();
  expect(files()).toEqual(['clew-20261129T023000Z.backup']);
});

it('one that is ended while it waits for locks of others does not wait for them', async () => {
  const holder = new ServerClient(database.connection);
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('lock table user_account in access exclusive mode');
    const abort = new AbortController();
    const made = opened().look(abort.signal);
    const waiting = `select from pg_locks join pg_database on pg_database.oid = pg_locks.database
      where not granted and datname = current_database()`;
    await vi.waitUntil(async () => (await database.pool.query(waiting)).rowCount === 1, 20_000);
    abort.abort();
    await made;
    expect(files()).toEqual([]);
    await holder.query('commit');
  } finally {
    await holder.end();
  }
  expect(await notedBackups(database.db)).toEqual([]);
});

it('a complete backup counts, even if an older one cannot be deleted', async () => {
  let isStuck = true;
  const stuck = join(directory, 'clew-20260101T000000Z.backup');
  const remove: typeof rm = async (path, options) => {
    if (path === stuck && isStuck) throw new Error('EPERM: operation not permitted');
    // Another process deletes it first.
    await rm(path);
    await rm(path, options);
  };
  const backups = opened({ CLEW_BACKUP_KEEP: '1' }, { remove });
  await backups.look();
  const [first] = files();
  for (const old of [stuck, join(directory, 'clew-20260102T000000Z.backup')])
    copyFileSync(join(directory, first), old);
  now += 24 * HOUR;
  await backups.look();
  const second = 'clew-20261130T023000Z.backup';
  // The others are deleted.
  expect(files()).toEqual(['clew-20260101T000000Z.backup', second]);
  expect(backups.fault).toContain('after the backup of 2026-11-30T02:30');
  expect(await overview(backups)).toMatchObject({
    schedule: { next_at: '2026-12-01T02:30:00.000Z' },
    backups: [
      { file: join(directory, second), fault: expect.stringContaining('deleted: EPERM') },
      { fault: null },
    ],
  });
  expect(await lastBackup(database.db)).toEqual(new Date(now));
  now += 24 * HOUR - 1;
  await backups.look();
  expect(files()).toHaveLength(2);
  isStuck = false;
  now += 1;
  await backups.look();
  expect([files(), backups.fault]).toEqual([['clew-20261201T023000Z.backup'], undefined]);
});

it('without a directory there is no schedule, and what commands made is listed', async () => {
  const backups = opened({ CLEW_BACKUP_DIR: '' });
  await backups.look();
  expect(files()).toEqual([]);
  const record = {
    ...{ made_at: new Date(now).toISOString(), seconds: 1, file: '/one', bytes: 1, fault: null },
    ...{ is_encrypted: false, with_key: false, is_scheduled: false },
  };
  for (let at = 0; at < MAX_KEPT + 5; at++) await noteBackup(database.pool, { ...record, bytes: at });
  const noted = await notedBackups(database.db);
  expect([noted.length, noted[0].bytes, noted.at(-1)?.bytes]).toEqual([MAX_KEPT, MAX_KEPT + 4, 5]);
  expect(await overview(backups)).toEqual({ schedule: null, fault: null, backups: noted });
});
