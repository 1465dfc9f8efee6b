/** Runs only the database migrations, without a service, for a job before processes of a new version start. */
import type { Config } from '@clew/common';
import { type DatabaseLog, migrate, openDatabase } from '@clew/store';

/**
 * Any number of processes may run this at once: one migrates, and the others wait.
 * @returns names of the applied migrations, in order
 * @throws StartError if the database cannot be opened, was changed by a newer version, or a migration fails
 */
export async function migrateDatabase(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: DatabaseLog,
): Promise<readonly string[]> {
  const database = await openDatabase({ databaseUrl, dataDirectory: dataDir, log });
  try {
    return await migrate(database.pool);
  } finally {
    await database.close();
  }
}
