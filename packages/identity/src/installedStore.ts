/** Commands for a stopped service that need its database: in a wrong directory, they would create an empty one. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '@clew/common';

/** The advice about a directory without a database. */
export const STORE_SETTINGS = 'set CLEW_DATA_DIR or CLEW_DATABASE_URL as for the service';

/** @returns whether there is a database: of the data directory, or elsewhere by its address */
export const hasStore = ({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): boolean =>
  databaseUrl !== undefined || existsSync(join(dataDir, 'postgres'));
