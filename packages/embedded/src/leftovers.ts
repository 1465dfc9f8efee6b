/**
 * Database processes that outlived the Clew that started them (it was killed), or their own postmaster (that was).
 * They hold the data directory, so they are stopped before a new one starts. Only what is certainly of this directory
 * is touched: `postmaster.pid` may be that of a copy, and its numbers and paths those of the original.
 */
import { spawnSync } from 'node:child_process';
import { readdir, readFile, readlink, realpath, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from './startError.ts';

/** Each signal with the time it gets: shut down fast, shut down without checkpoint, die. */
const ESCALATION = [
  ['SIGINT', 30_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
] as const;
const POLL_MS = 10;
const CONNECT_TIMEOUT_MS = 2000;
/** Socket of the port 5432, which is only a name here. */
export const SOCKET_FILE = '.s.PGSQL.5432';
/** File in a separate socket directory that names its cluster. */
export const SOCKET_OWNER_FILE = 'cluster';
export const SOCKET_DIRECTORY_PREFIX = 'clew-pg-';

/** A database process that holds the directory, where this process cannot see or stop it. */
export class UnreachableDatabaseError extends StartError {
  override readonly name = 'UnreachableDatabaseError';
}

/** @returns a text that distinguishes the directory from a copy of it */
export async function identityOf(cluster: string): Promise<string> {
  const { dev, ino } = await stat(cluster, { bigint: true });
  return `${dev}:${ino}`;
}

/**
 * To be called with the lock of the directory.
 * @returns the number of processes that had to be stopped
 * @throws UnreachableDatabaseError when one runs out of reach, in another container
 */
export async function stopLeftovers(
  cluster: string,
  options: { readonly keepSocketDirectory?: boolean } = {},
): Promise<number> {
  const pidFile = join(cluster, 'postmaster.pid');
  const [pidLine, ownPath, , , socketDirectory] = (await readFile(pidFile, 'utf8').catch(() => '')).split(
    '\n',
  );
  const postmaster = { pid: Number(pidLine), directory: ownPath ?? '' };
  const found = await processesOf(cluster, postmaster);
  let left = found;
  for (const [signal, patience] of ESCALATION) {
    if (left.length === 0) break;
    for (const pid of left) send(pid, signal);
    left = await waitForEnd(cluster, postmaster, patience);
  }
  if (left.length > 0) throw new Error(`database process ${left.join(', ')} of ${cluster} does not end`);
  const socket = join(cluster, SOCKET_FILE);
  if (await isAnswered(socket)) {
    throw new UnreachableDatabaseError(
      `the database of ${dirname(cluster)} still runs where this process cannot see it, in another container: stop that one first`,
    );
  }
  // The numbers in these files may belong to strangers by now, which PostgreSQL would take for itself.
  for (const file of [pidFile, socket, `${socket}.lock`]) await rm(file, { force: true });
  if (!options.keepSocketDirectory && (await isSocketDirectoryOf(cluster, socketDirectory ?? '')))
    await rm(socketDirectory, { recursive: true, force: true });
  return found.length;
}

function isAnswered(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath, () => {
      socket.destroy();
      resolve(true);
    });
    // A process that does not answer may be alive.
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

async function isSocketDirectoryOf(cluster: string, directory: string): Promise<boolean> {
  if (!basename(directory).startsWith(SOCKET_DIRECTORY_PREFIX)) return false;
  const owner = await readFile(join(directory, SOCKET_OWNER_FILE), 'utf8').catch(() => '');
  return owner === (await identityOf(cluster));
}

interface Postmaster {
  readonly pid: number;
  /** The directory named by the file; unverified. */
  readonly directory: string;
}

/** Every server process works in its cluster's directory, which distinguishes it from all others. */
async function processesOf(cluster: string, postmaster: Postmaster): Promise<number[]> {
  const directory = await realpath(cluster).catch(() => cluster);
  if (process.platform !== 'linux') {
    const isOurs = postmaster.directory === directory || postmaster.directory === cluster;
    return isOurs && looksLikePostgres(postmaster.pid) ? [postmaster.pid] : [];
  }
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const own = await Promise.all(pids.map((pid) => worksIn(pid, directory)));
  return pids.filter((_, at) => own[at]).map(Number);
}

async function worksIn(pid: string, directory: string): Promise<boolean> {
  try {
    if ((await readlink(`/proc/${pid}/cwd`)) !== directory) return false;
    return basename(await readlink(`/proc/${pid}/exe`)).startsWith('postgres');
  } catch {
    // The process has ended, or belongs to another user.
    return false;
  }
}

function looksLikePostgres(pid: number): boolean {
  if (!(pid > 1)) return false;
  const { stdout } = spawnSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' });
  return basename(dirname(stdout.trim())) === 'bin' && basename(stdout.trim()) === 'postgres';
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function waitForEnd(cluster: string, postmaster: Postmaster, patience: number): Promise<number[]> {
  const deadline = Date.now() + patience;
  for (;;) {
    const running = await processesOf(cluster, postmaster);
    if (running.length === 0 || Date.now() > deadline) return running;
    await delay(POLL_MS);
  }
}
