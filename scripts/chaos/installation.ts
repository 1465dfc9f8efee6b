/**
 * An installation: one process with its embedded database, or two API processes and a worker on a separate PostgreSQL. Each can be killed
 * separately, and is restarted.
 */
import { join } from 'node:path';
import { EmbeddedPostgres } from '@clew/embedded';
import { silentLog } from '@clew/embedded/testing';
import { ManagedProcess } from '../harness/managedProcess.ts';
import { childrenOf, postmasterOf } from '../harness/processes.ts';
import { MAIN } from '../harness/serving.ts';
import type { FaultyProxy } from './faultyProxy.ts';

const INSIDE = join(import.meta.dirname, 'insideProcess.mjs');

/** `together`: one process with all roles. `separate`: two API processes and a worker. */
export const ROLES = ['together', 'separate'] as const;
export type Roles = (typeof ROLES)[number];

export interface Installation {
  readonly processes: readonly ManagedProcess[];
  /** The directory of the database. */
  readonly data: string;
  /** Kills PostgreSQL, or one of its processes. @returns whether one existed */
  killDatabase(which: 'all' | 'one', random: () => number): boolean;
  stop(): Promise<void>;
}

export async function startInstallation(
  roles: Roles,
  { directory, proxy, password }: { directory: string; proxy: FaultyProxy; password: string },
): Promise<Installation> {
  const data = join(directory, 'data');
  const shared = {
    ...{ CLEW_PORT: '0', CLEW_LOG_LEVEL: 'error', CLEW_RATE_LIMIT: '0' },
    ...{ CLEW_ADMIN_PASSWORD: password, CLEW_WEBHOOK_NETWORKS: '127.0.0.0/8' },
  };
  /** @param isServing whether the proxy forwards to it */
  const managed = (name: string, variables: Readonly<Record<string, string>>, isServing = true) =>
    new ManagedProcess({
      ...{ name, args: ['--import', INSIDE, MAIN, 'serve'], variables, hasChannel: true },
      onUrl: (url) => {
        if (url === undefined) proxy.targets.delete(name);
        else if (isServing) proxy.targets.set(name, Number(new URL(url).port));
      },
    });
  const database = roles === 'separate' ? await startDatabase(data) : undefined;
  const variablesOf = (role: string, name = role) => ({
    ...{ ...shared, CLEW_ROLE: role, CLEW_DATA_DIR: join(directory, name) },
    ...{ CLEW_DATABASE_URL: database?.url ?? '', CLEW_SECRET_KEY: `a root key that all have: ${password}` },
  });
  const processes =
    database === undefined
      ? [managed('service', { ...shared, CLEW_DATA_DIR: data })]
      : [
          ...['api', 'second api'].map((name) => managed(name, variablesOf('api', name))),
          managed('worker', variablesOf('worker'), false),
        ];
  const running = processes.map((one) => one.run());
  return {
    ...{ processes, data },
    killDatabase(which, random) {
      try {
        const postmaster = postmasterOf(data);
        const children = childrenOf(postmaster).map(([pid]) => pid);
        const pid = which === 'all' ? postmaster : children[Math.floor(random() * children.length)];
        if (pid === undefined) return false;
        process.kill(pid, 'SIGKILL');
        return true;
      } catch {
        return false;
      }
    },
    async stop() {
      await Promise.all(processes.map((one) => one.stop()));
      await Promise.all(running);
      await database?.stop();
    },
  };
}

/** A PostgreSQL that is restarted after it was killed, and that is not a child of the service processes. */
async function startDatabase(directory: string) {
  const server = await EmbeddedPostgres.start({ directory, log: silentLog });
  const { host, user, password, database } = server.connection;
  return {
    url: `postgres://${user}:${password}@${encodeURIComponent(host)}/${database}`,
    stop: () => server.stop(),
  };
}
