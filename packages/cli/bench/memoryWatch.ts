/** Watches the memory of a service and of its database, using proportional shares so that shared memory counts once. */
import { readFileSync } from 'node:fs';
import { descendants } from './processes.ts';

const INTERVAL_MS = 500;
/** Computing the shares of all pages takes tens of milliseconds, during which the processes are blocked. */
const SHARES_EVERY = 10;

export interface MemoryUse {
  /** Peaks, in MB. */
  readonly service: number;
  readonly database: number;
}

export class MemoryWatch {
  readonly #pid: number;
  readonly #timer: NodeJS.Timeout;
  #service = 0;
  #database = 0;
  #looks = 0;

  constructor(pid: number) {
    this.#pid = pid;
    this.#timer = setInterval(() => this.#look(), INTERVAL_MS);
    this.#timer.unref();
  }

  /** @returns the peaks since the last call */
  take(): MemoryUse {
    this.#looks = 0;
    this.#look();
    const use = { service: Math.round(this.#service / 1024), database: Math.round(this.#database / 1024) };
    this.#service = 0;
    this.#database = 0;
    return use;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    this.#service = Math.max(this.#service, residentOf(this.#pid));
    if (this.#looks++ % SHARES_EVERY !== 0) return;
    const database = descendants(this.#pid).reduce((sum, pid) => sum + shareOf(pid), 0);
    this.#database = Math.max(this.#database, database);
  }
}

const PAGE_KB = 4;

/** @returns kilobytes of a process, including shared memory; 0 if it has ended */
function residentOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_KB;
  } catch {
    return 0;
  }
}

/** @returns MB of processes and their children, with their proportions of shared memory */
export function sharesOf(pids: readonly number[]): number {
  const all = pids.flatMap((pid) => [pid, ...descendants(pid)]);
  return all.reduce((sum, pid) => sum + shareOf(pid), 0) / 1024;
}

/** @returns kilobytes of a process, with its proportion of shared memory; 0 if it has ended */
function shareOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
