/**
 * Allows one Clew per data directory. The lock is a kernel lock on a file in the directory, acquired through SQLite, which supports every
 * platform: it applies to all processes that see the file, in any container, and ends with its process, however that ends. Only users with
 * write access to the directory can acquire it. The file next to it names the owner of the lock, for the message only. (On systems with
 * POSIX locks, a process that opens and closes the lock file by other means loses its lock; no code here does that.)
 */
import { chmod, mkdir, open, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from './startError.ts';

export const LOCK_FILE = 'clew.lock';
const HOLDER_FILE = 'clew.holder';
/** Number of bytes to read of the owner's file: a valid one is not longer. */
const MAX_HOLDER_BYTES = 200;
const HOLDER = /^pid \d{1,10} on [A-Za-z0-9._-]{1,100}$/;
/** SQLITE_BUSY: another process has the lock. */
const BUSY = 5;

export class DirectoryInUseError extends StartError {
  override readonly name = 'DirectoryInUseError';
}

export interface DirectoryLock {
  release(): Promise<void>;
}

/**
 * Creates the directory if it is missing.
 * @throws DirectoryInUseError if another process uses it, StartError if it cannot be written, or its file system does not support locks
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  const path = join(directory, LOCK_FILE);
  const file = await openLockFile(directory, path);
  // Before the journal is created, which has the mode of the file.
  await makePrivate(path);
  try {
    file.exec('begin exclusive');
  } catch (error) {
    file.close();
    if ((error as { errcode?: number }).errcode !== BUSY) throw unlockable(directory, error);
    throw new DirectoryInUseError(`another Clew is using ${directory}${await holderOf(directory)}`);
  }
  for (const each of [path, `${path}-journal`]) await makePrivate(each);
  const host =
    hostname()
      .replace(/[^A-Za-z0-9._-]/g, '_')
      .slice(0, 100) || 'host';
  await writeFile(join(directory, HOLDER_FILE), `pid ${process.pid} on ${host}\n`, { mode: 0o600 });
  let isHeld = true;
  return {
    async release() {
      if (isHeld) file.close();
      isHeld = false;
    },
  };
}

async function openLockFile(directory: string, path: string): Promise<DatabaseSync> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    const reason =
      (error as NodeJS.ErrnoException).code === 'EEXIST'
        ? 'it is a file, not a directory'
        : `it cannot be created (${(error as Error).message})`;
    throw new StartError(`the data directory ${directory} cannot be used: ${reason}`, { cause: error });
  }
  try {
    return new DatabaseSync(path, { timeout: 0 });
  } catch (error) {
    throw new StartError(
      `the data directory ${directory} cannot be used: it is not writable for the user of this process (${(error as Error).message})`,
      { cause: error },
    );
  }
}

/** Ignores missing files. */
async function makePrivate(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  await chmod(path, 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/** Without a lock, two services could damage the data, so none starts. */
function unlockable(directory: string, cause: unknown): Error {
  return new StartError(
    `${directory} cannot be locked: its file system has no file locks, or the directory is not writable (${(cause as Error).message})`,
    { cause },
  );
}

/** @returns ` (pid 12 on host)`; empty if unknown */
async function holderOf(directory: string): Promise<string> {
  try {
    await using file = await open(join(directory, HOLDER_FILE));
    const { bytesRead, buffer } = await file.read(Buffer.alloc(MAX_HOLDER_BYTES), 0, MAX_HOLDER_BYTES, 0);
    const text = buffer.toString('latin1', 0, bytesRead).trim();
    return HOLDER.test(text) ? ` (${text})` : '';
  } catch {
    return '';
  }
}
