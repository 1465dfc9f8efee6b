/** Backups of an installation: the database, and the key that encrypts its secrets. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { BackupRecord } from '@clew/api';
import type { Config } from '@clew/common';
import {
  BackupError,
  type Database,
  type DatabaseLog,
  fileHead,
  migrationsOf,
  openDatabase,
  openDatabaseBeside,
  renewInstallation,
  restoreBackup,
  verifyBackup,
  type WrittenBackup,
  writeBackup,
} from '@clew/store';
import { fingerprintOf, MIN_SECRET_KEY_LENGTH, presentKey, writeKeyFile } from '../installationKey.ts';
import { hasStore, STORE_SETTINGS } from '../installedStore.ts';
import { forgetBackups, noteBackup } from './backupHistory.ts';

export type Place = Pick<Config, 'databaseUrl' | 'dataDir' | 'secretKey'>;

export interface BackupWish {
  /** A new file, or a directory, in which the file name is the time; with a slash at the end, only a directory. */
  readonly path: string;
  readonly passphrase?: string;
  /** Includes the key of the installation; requires a passphrase. */
  readonly withKey?: boolean;
  /** Number of backups of this installation to keep in the directory, including this one. */
  readonly keep?: number;
  readonly signal?: AbortSignal;
}

export interface BackupDone extends WrittenBackup {
  /** Older files that were deleted. */
  readonly deleted: readonly string[];
  /** Why some could not be deleted; null if all were. */
  readonly undeleted: string | null;
}

const NAME = /^clew-\d{8}T\d{6}Z\.backup$/;
/** Part of a backup whose process was killed. */
const DRAFT = /^clew-\d{8}T\d{6}Z\.backup\.[0-9a-f]{12}\.part$/;
/** A running backup writes to its file continuously. */
const DRAFT_MS = 86_400_000;

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Writes a backup, with or without a running service. @throws BackupError if the file exists, or there is nothing to back up */
export async function backUp(place: Place, wish: BackupWish, log: DatabaseLog): Promise<BackupDone> {
  const now = new Date();
  const file = await newFile(wish, now);
  if (!hasStore(place))
    throw new BackupError(`there is nothing to back up in ${place.dataDir}: ${STORE_SETTINGS}`);
  await using stack = new AsyncDisposableStack();
  const options = { databaseUrl: place.databaseUrl, dataDirectory: place.dataDir, log };
  const { database } = await openDatabaseBeside(options);
  stack.defer(() => database.close());
  // Awaited, so that the database stays open.
  return await backUpOpen({ database, place, wish, log, file, now, write: writeBackup });
}

interface OpenBackup {
  readonly database: Database;
  readonly place: Place;
  readonly wish: BackupWish;
  readonly log: DatabaseLog;
  /** Result of `newFile`. */
  readonly file: string;
  readonly now: Date;
  readonly isScheduled?: boolean;
  readonly write: typeof writeBackup;
  /** For tests. */
  readonly remove?: typeof rm;
}

/**
 * Writes a backup of an open database, and notes it there. Older files that cannot be deleted do not make it incomplete.
 * @throws BackupError if nothing can be backed up
 */
export async function backUpOpen(backup: OpenBackup): Promise<BackupDone> {
  const { database, place, wish, log, file, now, isScheduled = false, write, remove = rm } = backup;
  const { passphrase, withKey = false, keep, signal } = wish;
  const secretKey = withKey ? await keyOf(place, database) : undefined;
  const { connection } = database;
  const begun = performance.now();
  const written = await write({ connection, file, passphrase, secretKey, now, signal });
  const seconds = (performance.now() - begun) / 1000;
  const { deleted, undeleted } =
    keep === undefined ? { deleted: [], undeleted: null } : await deleteOlder(written, keep, remove);
  const record: BackupRecord = {
    made_at: now.toISOString(),
    ...{ seconds, file, bytes: written.bytes, is_encrypted: passphrase !== undefined, with_key: withKey },
    ...{ is_scheduled: isScheduled, fault: undeleted },
  };
  // The file is complete, even if the database could not record it: it may be a standby, or the role read-only.
  await noteBackup(database.pool, record).catch((err: unknown) => {
    log.warn({ err }, 'the time of the backup could not be recorded for metrics');
  });
  return { ...written, deleted, undeleted };
}

/** @returns the file that a backup is written to @throws BackupError if it exists, or its directory is missing */
export async function newFile({ path, keep }: BackupWish, now: Date): Promise<string> {
  const intoDirectory = await isDirectory(path);
  if (keep !== undefined && !intoDirectory)
    throw new BackupError(
      `older backups can be deleted only in a directory, but ${path} is not one: give an existing directory`,
    );
  if (path.endsWith(sep) && !intoDirectory)
    throw new BackupError(`there is no directory ${path}: create it first`);
  const name = `clew-${now.toISOString().replace(/[-:]|\.\d+/g, '')}.backup`;
  const file = resolve(intoDirectory ? join(path, name) : path);
  if (existsSync(file)) throw new BackupError(`${file} already exists: choose another file`);
  if (!(await isDirectory(dirname(file))))
    throw new BackupError(`there is no directory ${dirname(file)}: create it first`);
  return file;
}

/** @returns the key of the installation @throws BackupError if it is not the key of the database, because the backup would be useless */
async function keyOf(place: Place, { pool }: Database): Promise<string> {
  const key = await presentKey(place);
  if (key === undefined)
    throw new BackupError(
      `there is no secret key in ${place.dataDir}: set CLEW_SECRET_KEY or CLEW_DATA_DIR as for the service`,
    );
  if (!(await isKeyOf(pool, key)))
    throw new BackupError(
      'the secret key does not match the database: set CLEW_SECRET_KEY or CLEW_DATA_DIR as for the service',
    );
  return key;
}

interface Queries {
  query(text: string): Promise<{ readonly rows: readonly { readonly value: unknown }[] }>;
}

/** Whether a database uses this key; a database that no service has used accepts any. */
async function isKeyOf(client: Queries, key: string): Promise<boolean> {
  if (key.length < MIN_SECRET_KEY_LENGTH) return false;
  const { rows: tables } = await client.query("select to_regclass('setting') as value");
  if (tables[0].value === null) return true;
  const { rows } = await client.query("select value from setting where key = 'secret_key_fingerprint'");
  return rows.length === 0 || rows[0].value === fingerprintOf(key).toString('hex');
}

type Deletion = Pick<BackupDone, 'deleted' | 'undeleted'>;

/** Deletes backups of the same installation, and parts of interrupted ones. After an error, the others are still deleted. */
async function deleteOlder(written: WrittenBackup, keep: number, remove: typeof rm): Promise<Deletion> {
  const deleted: string[] = [];
  const errors: Error[] = [];
  try {
    for (const old of await olderFiles(written, keep)) {
      try {
        // Another process may delete it, too.
        await remove(old, { force: true });
        deleted.push(old);
      } catch (error) {
        errors.push(error as Error);
      }
    }
  } catch (error) {
    errors.push(error as Error);
  }
  if (errors.length === 0) return { deleted, undeleted: null };
  const more = errors.length === 1 ? '' : `, and ${errors.length - 1} more`;
  return { deleted, undeleted: `older backups could not be deleted: ${errors[0].message}${more}` };
}

/** The directory may be shared: files, links and directories of others stay, whatever their names. */
async function olderFiles({ file, installation }: WrittenBackup, keep: number): Promise<string[]> {
  const directory = dirname(file);
  const entries = await readdir(directory, { withFileTypes: true });
  const named = async (pattern: RegExp): Promise<string[]> => {
    const own: string[] = [];
    for (const entry of entries) {
      const path = join(directory, entry.name);
      if (entry.name === basename(file) || !entry.isFile() || !pattern.test(entry.name)) continue;
      const head = await fileHead(path).catch(() => undefined);
      if (head?.installation === installation) own.push(path);
    }
    return own.sort();
  };
  const backups = await named(NAME);
  // The new backup stays, even if the clock was set back.
  const older = backups.slice(0, Math.max(0, backups.length - (keep - 1)));
  for (const draft of await named(DRAFT)) {
    const found = await stat(draft).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > DRAFT_MS) older.push(draft);
  }
  return older;
}

export interface RestoreDone {
  /** ISO 8601. */
  readonly madeAt: string;
  /** Whether the key was restored from the file, already present, or must be restored manually. */
  readonly key: 'restored' | 'present' | 'missing';
  /** Foreign tables in the backup. */
  readonly leftOut: readonly string[];
}

/**
 * Fills an empty data directory or database from a backup. The whole file is verified before anything changes.
 * @throws BackupError for a wrong file, passphrase or key, and for a database in use
 */
export async function restore(
  place: Place,
  file: string,
  passphrase: string | undefined,
  log: DatabaseLog,
): Promise<RestoreDone> {
  const header = await verifyBackup(file, passphrase);
  migrationsOf(header);
  const { made_at: madeAt, secret_key: given } = header;
  const present = await presentKey(place);
  if (given !== undefined && present !== undefined && present !== given)
    throw new BackupError(
      'the backup has a secret key that differs from CLEW_SECRET_KEY or the file secret.key: unset it, or use another CLEW_DATA_DIR',
    );
  await mkdir(place.dataDir, { recursive: true, mode: 0o700 });
  const options = { databaseUrl: place.databaseUrl, dataDirectory: place.dataDir, log };
  await using stack = new AsyncDisposableStack();
  const database = await openDatabase(options);
  stack.defer(() => database.close());
  const key = present ?? given;
  const { leftOut } = await restoreBackup(database, file, passphrase, async (client) => {
    if (key !== undefined && !(await isKeyOf(client, key)))
      throw new BackupError(
        'the secret key does not match the backup: set CLEW_SECRET_KEY, or restore the file secret.key from the time of the backup',
      );
    // The original may still run: its backups are not those of the copy.
    await renewInstallation(client);
    await forgetBackups(client);
    // Written before the rows become visible, because rows without their key would be unusable.
    if (present === undefined && given !== undefined) await writeKeyFile(place.dataDir, given);
  });
  if (present !== undefined) return { madeAt, key: 'present', leftOut };
  return { madeAt, key: given === undefined ? 'missing' : 'restored', leftOut };
}
