/**
 * One Clew per data directory. The lock is a kernel lock on a file inside the directory, held through SQLite, which supports every
 * platform: it applies to all processes that see the file, in any container, and ends with its process, however that ends. Only those who
 * may write into the directory can take it. The file next to it names the holder, for the message only. (Where locks are POSIX locks, a
 * process that opens and closes the lock file by other means loses its lock: nothing here does.)
 */
import { chmod, mkdir, open, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from './startError.ts';

export const LOCK_FILE = 'clew.lock';
const HOLDER_FILE = 'clew.holder';
/** Bytes of the holder's file that are read: a valid one is not longer. */
const MAX_HOLDER_BYTES = 200;
const HOLDER = /^pid \d{1,10} on [A-Za-z0-9._-]{1,100}$/;
/** SQLITE_BUSY: another has the lock. */
const BUSY = 5;

export class DirectoryInUseError extends StartError {
  override readonly name = 'DirectoryInUseError';
}

export interface DirectoryLock {
  release(): Promise<void>;
}

/**
 * Creates the directory when it is missing.
 * @throws DirectoryInUseError when another process holds it; what the file system throws when it cannot lock at all
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, LOCK_FILE);
  const file = new DatabaseSync(path, { timeout: 0 });
  // Before the journal is made, which gets the mode of the file.
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

/** Does nothing for a file that is not there. */
async function makePrivate(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  await chmod(path, 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/** Without a lock two services could ruin the data: better none. */
function unlockable(directory: string, cause: unknown): Error {
  return new Error(
    `${directory} cannot be locked: its file system has no file locks, or the directory is not writable (${(cause as Error).message})`,
    { cause },
  );
}

/** @returns ` (pid 12 on host)`, or nothing when it is not known. */
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
