/**
 * Gives way to what users wait for: work that takes seconds or minutes leaves the processor to requests, also where the
 * machine has no core for each. Where priorities cannot be changed, the work goes on as it did.
 */
import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

/** Beside a request it gets a tenth of a core, and all of it otherwise. */
const BACKGROUND = constants.priority.PRIORITY_BELOW_NORMAL;

/** For the thread that calls it. Threads have priorities of their own on Linux alone; elsewhere nothing is done. */
export function lowerThreadPriority(): void {
  try {
    // `4711/task/4713`
    lowerPriority(Number(basename(readlinkSync('/proc/thread-self'))));
  } catch {
    // Not on Linux.
  }
}

/** @param pid of a process, or on Linux of a thread */
export function lowerPriority(pid: number): void {
  try {
    if (getPriority(pid) < BACKGROUND) setPriority(pid, BACKGROUND);
  } catch {
    // It has ended, or belongs to another user.
  }
}
