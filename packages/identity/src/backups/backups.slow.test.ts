/** Tests backups of an installation: which files of a directory are deleted, and which key is used. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Database } from '@clew/store';
import { silentLog, startTestDatabase } from '@clew/store/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fingerprintOf } from '../installationKey.ts';
import { notedBackups } from './backupHistory.ts';
import { backUp, restore } from './backups.ts';

const KEY = 'k'.repeat(43);
const OTHER_KEY = 'o'.repeat(43);
const PASSPHRASE = 'seven words that no one guesses';
let source: Database;
let directory: string;

const folder = (): string => mkdtempSync(join(directory, 'folder-'));

const urlOf = ({ connection }: Database): string => {
  const { user, password, host, port, database } = connection;
  const [name, secret] = [user, password].map((text) => encodeURIComponent(String(text)));
  return `postgres://${name}:${secret}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`;
};

/** The settings of a service with this database. */
const placeOf = (database: Database, secretKey?: string) => ({
  ...{ databaseUrl: urlOf(database), dataDir: join(folder(), 'data'), secretKey },
});

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'clew-backups-'));
  source = await startTestDatabase();
  await source.pool.query(
    "insert into user_account (id, principal_name, role_id) values (gen_random_uuid(), 'one', 1)",
  );
  const fingerprint = JSON.stringify(fingerprintOf(KEY).toString('hex'));
  await source.pool.query("insert into setting (key, value) values ('secret_key_fingerprint', $1)", [
    fingerprint,
  ]);
});
afterAll(async () => {
  await source.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Restores to a new database. */
async function restoring(
  file: string,
  secretKey: string | undefined,
  use: (done: ReturnType<typeof restore>, dataDir: string) => Promise<void>,
  passphrase = PASSPHRASE,
): Promise<void> {
  const target = await startTestDatabase({ migrated: false });
  try {
    const place = placeOf(target, secretKey);
    await use(restore(place, file, passphrase, silentLog), place.dataDir);
  } finally {
    await target.close();
  }
}

it('with --keep, only older backups of the same installation are deleted', async () => {
  const into = folder();
  const own = (name: string): string => join(into, name);
  const first = await backUp(placeOf(source), { path: join(into, 'first') }, silentLog);
  for (const name of ['clew-20200101T000000Z', 'clew-20210101T000000Z', 'clew-20990101T000000Z'])
    copyFileSync(first.file, own(`${name}.backup`));
  // Files of another installation and of none, a directory, and a link.
  const other = await startTestDatabase();
  await other.pool.query("update migration set applied_at = applied_at - interval '1 day'");
  await backUp(placeOf(other), { path: own('clew-20190101T000000Z.backup') }, silentLog);
  await other.close();
  writeFileSync(own('clew-20190201T000000Z.backup'), '');
  mkdirSync(own('clew-20190301T000000Z.backup'));
  symlinkSync(first.file, own('clew-20190401T000000Z.backup'));
  // Parts of interrupted backups: the second one may still be running.
  const [dead, alive] = ['a', 'b'].map((letter) =>
    own(`clew-20200101T000000Z.backup.${letter.repeat(12)}.part`),
  );
  for (const draft of [dead, alive]) copyFileSync(first.file, draft);
  utimesSync(dead, 1_600_000_000, 1_600_000_000);
  const before = readdirSync(into);
  const done = await backUp(placeOf(source), { path: into, keep: 2 }, silentLog);
  const gone = [own('clew-20200101T000000Z.backup'), own('clew-20210101T000000Z.backup'), dead];
  expect(done.deleted).toEqual(gone);
  expect(existsSync(done.file)).toBe(true);
  const left = before.filter((name) => !gone.includes(own(name)));
  expect(readdirSync(into).sort()).toEqual([...left, done.file.slice(into.length + 1)].sort());
});

it('with --keep 1, the new backup stays, even if the clock was set back', async () => {
  const into = folder();
  const first = await backUp(placeOf(source), { path: join(into, 'first') }, silentLog);
  const future = join(into, 'clew-20990101T000000Z.backup');
  copyFileSync(first.file, future);
  const done = await backUp(placeOf(source), { path: into, keep: 1 }, silentLog);
  expect(done.deleted).toEqual([future]);
  expect(existsSync(done.file)).toBe(true);
});

it('a restored copy counts and deletes only its own backups, and makes its first by schedule at once', async () => {
  const into = folder();
  const wish = { path: into, keep: 1 };
  const original = await backUp(placeOf(source), wish, silentLog);
  const older = join(into, 'clew-20200101T000000Z.backup');
  copyFileSync(original.file, older);
  const copy = await startTestDatabase({ migrated: false });
  const identities = new Set([original.installation]);
  try {
    await restore(placeOf(copy), original.file, undefined, silentLog);
    expect(await notedBackups(copy.db)).toEqual([]);
    for (const name of ['clew-20210101T000000Z.backup', 'clew-20220101T000000Z.backup']) {
      const { installation } = await backUp(placeOf(copy), { path: join(into, name) }, silentLog);
      expect([...identities]).not.toContain(installation);
    }
    rmSync(original.file);
    const done = await backUp(placeOf(copy), wish, silentLog);
    identities.add(done.installation);
    expect(done.deleted.map((path) => basename(path))).toEqual([
      'clew-20210101T000000Z.backup',
      'clew-20220101T000000Z.backup',
    ]);
    expect(existsSync(older)).toBe(true);
    // A copy of the copy is another one.
    const second = await startTestDatabase({ migrated: false });
    try {
      await restore(placeOf(second), done.file, undefined, silentLog);
      const { installation } = await backUp(placeOf(second), { path: join(into, 'second') }, silentLog);
      expect([...identities]).not.toContain(installation);
    } finally {
      await second.close();
    }
  } finally {
    await copy.close();
  }
});

it('explains what to do if a backup cannot be made', async () => {
  const place = placeOf(source);
  const wish = (path: string, keep?: number) => backUp(place, { path, keep }, silentLog);
  await expect(wish(join(directory, 'none/one'))).rejects.toThrow(
    `there is no directory ${join(directory, 'none')}: create it first`,
  );
  await expect(wish(join(directory, 'none'), 2)).rejects.toThrow('give an existing directory');
  const taken = join(directory, 'taken');
  writeFileSync(taken, 'mine');
  await expect(wish(taken)).rejects.toThrow('already exists: choose another file');
  expect(readFileSync(taken, 'utf8')).toBe('mine');
});

it('only the key of the database is included in a backup', async () => {
  const path = join(folder(), 'one.backup');
  const wish = { path, withKey: true, passphrase: PASSPHRASE };
  await expect(backUp(placeOf(source), wish, silentLog)).rejects.toThrow('there is no secret key');
  await expect(backUp(placeOf(source, OTHER_KEY), wish, silentLog)).rejects.toThrow(
    'does not match the database',
  );
  expect(existsSync(path)).toBe(false);
  await backUp(placeOf(source, KEY), wish, silentLog);
  await restoring(path, undefined, async (done, dataDir) => {
    expect(await done).toMatchObject({ key: 'restored', leftOut: [] });
    const file = join(dataDir, 'secret.key');
    expect(readFileSync(file, 'utf8').trim()).toBe(KEY);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(readdirSync(dataDir)).toEqual(['secret.key']);
  });
  await restoring(path, OTHER_KEY, async (done, dataDir) => {
    await expect(done).rejects.toThrow('a secret key that differs');
    expect(existsSync(dataDir)).toBe(false);
  });
  // A database in use, on a machine without its key.
  const used = placeOf(source);
  await expect(restore(used, path, PASSPHRASE, silentLog)).rejects.toThrow('already contains data');
  expect(readdirSync(used.dataDir)).toEqual([]);
});

it('a backup without its key is restored only where the correct key exists', async () => {
  const path = join(folder(), 'one.backup');
  await backUp(placeOf(source), { path, passphrase: PASSPHRASE }, silentLog);
  await restoring(path, undefined, async (done) => expect(await done).toMatchObject({ key: 'missing' }));
  await restoring(path, KEY, async (done) => expect(await done).toMatchObject({ key: 'present' }));
  await restoring(path, OTHER_KEY, async (done) => {
    await expect(done).rejects.toThrow('does not match the backup');
  });
});

it('a backup of a newer version is refused before anything is created', async () => {
  const newer = await startTestDatabase();
  const path = join(folder(), 'newer.backup');
  try {
    await newer.pool.query("insert into migration (name) values ('999-later')");
    await backUp(placeOf(newer), { path, passphrase: PASSPHRASE }, silentLog);
  } finally {
    await newer.close();
  }
  await restoring(path, undefined, async (done, dataDir) => {
    await expect(done).rejects.toThrow('newer version');
    expect(existsSync(dataDir)).toBe(false);
  });
});
