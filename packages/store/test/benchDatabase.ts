/** A durable embedded database in a temporary directory, for write benchmarks. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '@clew/embedded';
import { silentLog } from '@clew/embedded/testing';
import { connectDatabase, type Database } from '../src/database.ts';
import { migrate } from '../src/migrate.ts';

export async function openBenchDatabase(): Promise<Database> {
  const directory = mkdtempSync(join(tmpdir(), 'clew-bench-'));
  const server = await EmbeddedPostgres.start({ directory, log: silentLog });
  const database = connectDatabase(server.connection, silentLog);
  await migrate(database.pool);
  return {
    ...database,
    close: async () => {
      await database.close();
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
