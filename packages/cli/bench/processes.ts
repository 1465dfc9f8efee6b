/** The processes of a service, including its database. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Slightly longer than the interval at which the database looks for rows to vacuum. */
const VACUUM_PAUSE_S = 17;
const MAX_WAIT_S = 240;

/** Waits until the database of a service has vacuumed the written rows, as it would before the work of the next day. */
export async function untilVacuumed(service: number): Promise<void> {
  let quietSeconds = 0;
  for (let second = 0; second < MAX_WAIT_S && quietSeconds < VACUUM_PAUSE_S; second++) {
    quietSeconds = descendants(service).some(isVacuum) ? 0 : quietSeconds + 1;
    await sleep(1000);
  }
}

function isVacuum(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('autovacuum worker');
  } catch {
    return false;
  }
}

/** @returns ids of all direct and indirect child processes */
export function descendants(of: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
      parents.set(Number(name), Number(parent));
    } catch {
      // It has ended in the meantime.
    }
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === of || isBelow(parent));
  };
  return [...parents.keys()].filter(isBelow);
}
