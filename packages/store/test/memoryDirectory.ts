/**
 * A directory in memory for the files that the tests of a run write: databases that create and empty tables all the time, and services that
 * sync accepted data. On a disk, this takes half of the time of the suite.
 */
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from './isAlive.ts';

/** A file system in memory on most Linux systems; in containers often one of 64 MB. */
const ROOT = '/dev/shm';
const PREFIX = 'clew-tests-';
/** Ten times the data that the tests write at once. */
const MIN_FREE_BYTES = 5 * 2 ** 30;

/** @returns nothing where memory is insufficient; directories of killed runs are removed */
export function makeMemoryDirectory(): string | undefined {
  if (!isUsable()) return undefined;
  removeLeftovers(ROOT);
  const directory = join(ROOT, PREFIX + process.pid);
  mkdirSync(directory, { recursive: true });
  // The mode of the usual directory for temporary files: databases run as another user.
  chmodSync(directory, 0o1777);
  return directory;
}

/** Removes directories of runs that have ended, as far as that is possible. */
export function removeLeftovers(root: string): void {
  for (const name of readdirSync(root)) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length)) : Number.NaN;
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    try {
      rmSync(join(root, name), { recursive: true, force: true });
    } catch {
      // Another user's, or its servers are just ending.
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
