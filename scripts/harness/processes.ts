/** Finds the processes of the embedded PostgreSQL on Linux, for scripts that kill them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param data directory of the service @throws Error if its database is not running */
export const postmasterOf = (data: string): number =>
  Number(readFileSync(join(data, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);

/** Children of a process with their command lines. */
export function childrenOf(pid: number): [pid: number, command: string][] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name): [number, string][] => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
        if (Number(/^\d+ \(.*\) \S (\d+)/s.exec(stat)?.[1]) !== pid) return [];
        return [[Number(name), readFileSync(`/proc/${name}/cmdline`, 'latin1')]];
      } catch {
        // The process has ended meanwhile.
        return [];
      }
    });
}

/** The processes that serve connections of the service. */
export const backendsOf = (data: string): number[] =>
  childrenOf(postmasterOf(data)).flatMap(([pid, command]) =>
    /clew.*(?:idle|SELECT)/s.test(command) ? [pid] : [],
  );
