/** Measurements of scenarios: memory of a process, size of a directory, and times. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

const MB = 1024 * 1024;

/** Resident memory of a process on Linux; 0 if it has ended. */
export async function residentMb(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(text)?.[1] ?? 0) / 1024);
}

export async function diskMb(directory: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size;
  }
  return Math.round(bytes / MB);
}

export const percentile = (times: readonly number[], part: number): number =>
  Math.round(times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * part)] ?? 0);
