/**
 * A directory in memory for files that tests write: databases that constantly create and empty tables, and services that sync accepted
 * data. On a disk, this takes half of the time of the suite.
 */
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from './isAlive.ts';

/** A file system in memory on most Linux systems; in containers often limited to 64 MB. */
const ROOT = '/dev/shm';
const PREFIX = 'clew-tests-';
/** Ten times the data that the tests write at once. */
const MIN_FREE_BYTES = 5 * 2 ** 30;

/** Removes directories of killed runs. @returns `undefined` if memory is insufficient */
export function makeMemoryDirectory(): string | undefined {
  if (!isUsable()) return undefined;
  removeLeftovers(ROOT);
  const directory = join(ROOT, PREFIX + process.pid);
  mkdirSync(directory, { recursive: true });
  // The mode of a usual temporary directory: databases run as another user.
  chmodSync(directory, 0o1777);
  return directory;
}

/** Removes directories of ended runs, as far as possible. */
export function removeLeftovers(root: string): void {
  for (const name of readdirSync(root)) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length)) : Number.NaN;
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    try {
      rmSync(join(root, name), { recursive: true, force: true });
    } catch {
      // It belongs to another user, or its servers are still ending.
    }
  }
}

function isUsable(): boolean {
  try {
    const { bavail, bsize } = statfsSync(ROOT);
    const mount = readFileSync('/proc/mounts', 'utf8').match(/^tmpfs \/dev\/shm tmpfs (\S+)/m)?.[1];
    const options = mount?.split(',') ?? ['ro'];
    return (
      bavail * bsize > MIN_FREE_BYTES &&
      process.availableMemory() > MIN_FREE_BYTES &&
      !options.includes('ro') &&
      !options.includes('noexec')
    );
  } catch {
    return false;
  }
}
