/** Settings that are valid in themselves, but cannot be used on this machine. */
import { access, constants, stat } from 'node:fs/promises';
import { type Config, ConfigError } from '@clew/common';
import { testPort } from './listen.ts';

/** Called before a database is created or a graph is loaded. @throws ConfigError with all of its faults */
export async function requireUsable(config: Config): Promise<void> {
  const { host, port, boltPort, role } = config;
  const checks = [
    testPort('CLEW_PORT', host, port),
    ...(boltPort === undefined || role === 'worker' ? [] : [testPort('CLEW_BOLT_PORT', host, boltPort)]),
    // A process that only answers makes no backups.
    ...(config.backups === undefined || role === 'api' ? [] : [requireWritable(config.backups.directory)]),
  ];
  const faults = (await Promise.allSettled(checks)).flatMap((check) => {
    if (check.status === 'fulfilled') return [];
    if (check.reason instanceof ConfigError) return check.reason.faults;
    throw check.reason;
  });
  if (faults.length > 0) throw new ConfigError(faults);
}

async function requireWritable(directory: string): Promise<void> {
  const fault = await faultOf(directory);
  if (fault !== undefined) throw new ConfigError([`CLEW_BACKUP_DIR ${directory} ${fault}`]);
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
