/** The migrations of the database alone, without a service: a job runs them before processes of a new version start. */
import type { Config } from '@clew/common';
import { type DatabaseLog, migrate, openDatabase } from '@clew/store';

/**
 * Any number of processes may do so at once: one works, and the others wait for it.
 * @returns names of the migrations that were applied, in their order
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
