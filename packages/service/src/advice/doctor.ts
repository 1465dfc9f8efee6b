/** Advice on an installation, whether its service is running or not. */
import { type Config, ConfigError } from '@clew/common';
import { type DatabaseLog, openDatabaseBeside } from '@clew/store';
import { type Advice, adviceFor } from './advice.ts';
import { readSurroundings } from './surroundings.ts';

/**
 * @returns the same advice as at the start of a service with this configuration
 * @throws StartError if the database cannot be opened, ConfigError if no service has used it
 */
export async function diagnose(config: Config, log: DatabaseLog): Promise<readonly Advice[]> {
  const { databaseUrl, dataDir } = config;
  const { database } = await openDatabaseBeside({ databaseUrl, dataDirectory: dataDir, log });
  try {
    const { rows } = await database.pool.query<{ is_used: boolean }>(
      "select to_regclass('generation') is not null as is_used",
    );
    if (!rows[0].is_used)
      throw new ConfigError(['no service was ever started with this database: start it once']);
    return adviceFor(await readSurroundings(config, database.pool));
  } finally {
    await database.close();
  }
}
