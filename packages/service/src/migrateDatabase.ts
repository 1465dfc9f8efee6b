/** Runs only the database migrations, without a service, for a job before processes of a new version start. */
import type { Config } from '@clew/common';
import { type DatabaseLog, migrate, openDatabase } from '@clew/store';
import { sayUpgrade } from './upgrades/upgradeLog.ts';

/**
 * Any number of processes may run this at once: one migrates, and the others wait.
 * @param say shows the operator what an upgrade takes, before it begins
 * @returns names of the applied migrations, in order
 * @throws StartError if the database cannot be opened, was changed by a newer version, or a migration fails
 */
export async function migrateDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir' | 'rules'>,
  log: DatabaseLog,
  say: (text: string) => void,
): Promise<readonly string[]> {
  const { databaseUrl, dataDir } = config;
  const database = await openDatabase({ databaseUrl, dataDirectory: dataDir, log });
  try {
    return await migrate(database.pool, undefined, sayUpgrade(config, say));
  } finally {
    await database.close();
  }
}
