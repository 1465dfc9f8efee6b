/** Backups of an installation from outside of its service: the database, and the key that seals its secrets. */
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '@clew/common';
import {
  BackupError,
  type DatabaseLog,
  openDatabase,
  openDatabaseBeside,
  restoreBackup,
  verifyBackup,
  type WrittenBackup,
  writeBackup,
} from '@clew/store';
import { SECRET_KEY_FILE } from './installationKey.ts';

type Place = Pick<Config, 'databaseUrl' | 'dataDir' | 'secretKey'>;

export interface BackupWish {
  /** A file that is not there, or a directory, in which the file is named by the time. */
  readonly path: string;
  readonly passphrase?: string;
  /** Puts the key of the installation into the file; needs a passphrase. */
  readonly withKey?: boolean;
  /** Backups that stay in the directory, this one among them. */
  readonly keep?: number;
  readonly signal?: AbortSignal;
}

export interface BackupDone extends WrittenBackup {
  /** Older files that were deleted. */
  readonly deleted: readonly string[];
}

const NAME = /^clew-\d{8}T\d{6}Z\.backup$/;

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Writes a backup, while a service uses the database or not. @throws BackupError if the file exists, or nothing can be backed up */
export async function backUp(place: Place, wish: BackupWish, log: DatabaseLog): Promise<BackupDone> {
  const { path, passphrase, withKey = false, keep, signal } = wish;
  const intoDirectory = await isDirectory(path);
  if (keep !== undefined && !intoDirectory)
    throw new BackupError('only in a directory, some backups are kept and older ones are deleted');
  const now = new Date();
  const name = `clew-${now.toISOString().replace(/[-:]|\.\d+/g, '')}.backup`;
  const file = resolve(intoDirectory ? join(path, name) : path);
  if (existsSync(file)) throw new BackupError(`${file} exists`);
  // A directory without a store is not filled with an empty one.
  if (place.databaseUrl === undefined && !existsSync(join(place.dataDir, 'postgres')))
    throw new BackupError(`there is nothing to back up in ${place.dataDir}`);
  await using stack = new AsyncDisposableStack();
  const options = { databaseUrl: place.databaseUrl, dataDirectory: place.dataDir, log };
  const { database } = await openDatabaseBeside(options);
  stack.defer(() => database.close());
  const secretKey = withKey ? await keyOf(place) : undefined;
  const { connection } = database;
  const written = await writeBackup({ connection, file, passphrase, secretKey, now, signal });
  const deleted = keep === undefined ? [] : await deleteOlder(path, keep);
  return { ...written, deleted };
}

async function keyOf({ secretKey, dataDir }: Place): Promise<string> {
  if (secretKey !== undefined) return secretKey;
  return (await readFile(join(dataDir, SECRET_KEY_FILE), 'utf8')).trim();
}

async function deleteOlder(directory: string, keep: number): Promise<string[]> {
  const names = (await readdir(directory)).filter((name) => NAME.test(name)).sort();
  const old = names.slice(0, Math.max(0, names.length - keep)).map((name) => join(directory, name));
  for (const file of old) await rm(file);
  return old;
}

export interface RestoreDone {
  /** ISO 8601. */
  readonly madeAt: string;
  /** Whether the key of the installation is in the file, was there already, or has to be put back by hand. */
  readonly key: 'restored' | 'present' | 'missing';
}

/**
 * Fills an empty data directory or database from a backup. The whole file is verified before anything changes.
 * @throws BackupError for a wrong file or passphrase, and a database in use
 */
export async function restore(
  place: Place,
  file: string,
  passphrase: string | undefined,
  log: DatabaseLog,
): Promise<RestoreDone> {
  const { made_at: madeAt, secret_key: secretKey } = await verifyBackup(file, passphrase);
  const keyFile = join(place.dataDir, SECRET_KEY_FILE);
  const hasKey = place.secretKey !== undefined || existsSync(keyFile);
  const present = hasKey ? await keyOf(place) : undefined;
  if (secretKey !== undefined && present !== undefined && present !== secretKey)
    throw new BackupError(
      'the backup has another secret key than CLEW_SECRET_KEY, or the file secret.key, says',
    );
  await mkdir(place.dataDir, { recursive: true, mode: 0o700 });
  const options = { databaseUrl: place.databaseUrl, dataDirectory: place.dataDir, log };
  await using stack = new AsyncDisposableStack();
  const database = await openDatabase(options);
  stack.defer(() => database.close());
  await restoreBackup(database, file, passphrase);
  if (hasKey) return { madeAt, key: 'present' };
  if (secretKey === undefined) return { madeAt, key: 'missing' };
  await writeFile(keyFile, `${secretKey}\n`, { mode: 0o600, flag: 'wx' });
  await chmod(keyFile, 0o600);
  return { madeAt, key: 'restored' };
}
