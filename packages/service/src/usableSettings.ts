/** Settings that are valid in themselves, but cannot be used on this machine. */
import { access, constants, stat } from 'node:fs/promises';
import { type Config, ConfigError } from '@clew/common';
import { hasStore } from '@clew/identity/handlers';
import type { Logger } from 'pino';
import { testPort } from './listen.ts';

/**
 * Called before a database is created or a graph is loaded. A directory of backups that cannot be used ends only the first start: later, its
 * file system may be missing for a while, and the service is needed more than its next backup, which is reported as failed.
 * @throws ConfigError with all of its faults
 */
export async function requireUsable(config: Config, log: Logger): Promise<void> {
  const { host, port, boltPort, role } = config;
  const checks = [
    testPort('CLEW_PORT', host, port),
    ...(boltPort === undefined || role === 'worker' ? [] : [testPort('CLEW_BOLT_PORT', host, boltPort)]),
    // A process that only answers makes no backups.
    ...(config.backups === undefined || role === 'api'
      ? []
      : [requireWritable(config.backups.directory, hasStore(config) ? log : undefined)]),
  ];
  const faults = (await Promise.allSettled(checks)).flatMap((check) => {
    if (check.status === 'fulfilled') return [];
    if (check.reason instanceof ConfigError) return check.reason.faults;
    throw check.reason;
  });
  if (faults.length > 0) throw new ConfigError(faults);
}

/** @param log for a warning instead of an error */
async function requireWritable(directory: string, log: Logger | undefined): Promise<void> {
  const fault = await faultOf(directory);
  if (fault === undefined) return;
  if (log === undefined) throw new ConfigError([`CLEW_BACKUP_DIR ${directory} ${fault}`]);
  log.warn({ directory }, `no backups are possible: CLEW_BACKUP_DIR ${fault}`);
}

async function faultOf(directory: string): Promise<string | undefined> {
  try {
    if (!(await stat(directory)).isDirectory()) return 'is not a directory';
    await access(directory, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? 'does not exist: create it first' : `cannot be written to (${code})`;
  }
}
