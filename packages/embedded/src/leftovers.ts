/**
 * Database processes that outlived the Clew that started them (it was killed), or their own postmaster (that was).
 * They hold the data directory, so they are stopped before a new one starts.
 */
import { spawnSync } from 'node:child_process';
import { readdir, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Each signal with the time it gets: shut down fast, shut down without checkpoint, die. */
const ESCALATION = [
  ['SIGINT', 30_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
] as const;
const POLL_MS = 10;
export const SOCKET_DIRECTORY_PREFIX = 'clew-pg-';

/** @returns the number of processes that had to be stopped. */
export async function stopLeftovers(
  cluster: string,
  options: { readonly keepSocketDirectory?: boolean } = {},
): Promise<number> {
  const pidFile = join(cluster, 'postmaster.pid');
  const [pidLine, , , , socketDirectory] = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n');
  const found = await processesOf(cluster, Number(pidLine));
  let left = found;
  for (const [signal, patience] of ESCALATION) {
    if (left.length === 0) break;
    for (const pid of left) send(pid, signal);
    left = await waitForEnd(cluster, left, patience);
  }
  if (left.length > 0) throw new Error(`database process ${left.join(', ')} of ${cluster} does not end`);
  // The number in the file may belong to a stranger by now, which PostgreSQL would take for itself.
  await rm(pidFile, { force: true });
  const ours = basename(socketDirectory ?? '').startsWith(SOCKET_DIRECTORY_PREFIX);
  if (ours && !options.keepSocketDirectory) await rm(socketDirectory, { recursive: true, force: true });
  return found.length;
}

/** Every server process works in its cluster's directory, which distinguishes it from all others. */
async function processesOf(cluster: string, postmaster: number): Promise<number[]> {
  if (process.platform !== 'linux') return looksLikePostgres(postmaster) ? [postmaster] : [];
  const directory = await realpath(cluster).catch(() => cluster);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const own = await Promise.all(pids.map((pid) => worksIn(pid, directory)));
  return pids.filter((_, at) => own[at]).map(Number);
}

async function worksIn(pid: string, directory: string): Promise<boolean> {
  try {
    if ((await readlink(`/proc/${pid}/cwd`)) !== directory) return false;
    return basename(await readlink(`/proc/${pid}/exe`)).startsWith('postgres');
  } catch {
    // Gone, or somebody else's.
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

async function waitForEnd(cluster: string, pids: readonly number[], patience: number): Promise<number[]> {
  const deadline = Date.now() + patience;
  for (;;) {
    const running = await processesOf(cluster, pids[0] as number);
    if (running.length === 0 || Date.now() > deadline) return running;
    await delay(POLL_MS);
  }
}
