/**
 * Database processes that survived the Clew that started them, or their own postmaster, after it was killed. They use the data directory,
 * so they are stopped before a new one starts. Only processes that certainly belong to this directory are stopped: `postmaster.pid` may be
 * that of a copy, with the numbers and paths of the original.
 */
import { spawnSync } from 'node:child_process';
import { readdir, readFile, readlink, realpath, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from './startError.ts';

/** Each signal with its timeout: fast shutdown, shutdown without checkpoint, kill. */
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

/** A database process uses the directory, but this process cannot see or stop it. */
export class UnreachableDatabaseError extends StartError {
  override readonly name = 'UnreachableDatabaseError';
}

/** @returns a text that distinguishes the directory from a copy of it */
export async function identityOf(cluster: string): Promise<string> {
  const { dev, ino } = await stat(cluster, { bigint: true });
  return `${dev}:${ino}`;
}

/**
 * The caller must have the lock of the directory.
 * @returns the number of processes that had to be stopped
 * @throws UnreachableDatabaseError if one runs in another container, where it cannot be stopped
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
      `the database of ${dirname(cluster)} still runs in another container, where this process cannot see it: stop it first`,
    );
  }
  // The numbers in these files may now belong to unrelated processes, which PostgreSQL would mistake for its own.
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
  /** The directory in the file, which is not verified. */
  readonly directory: string;
}

/** The working directory of every server process is that of its cluster, which distinguishes it from all others. */
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
