/** A durable embedded database in a temporary directory, for benchmarks that write. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDatabase, type Database } from '../src/store/database.ts';
import { EmbeddedPostgres } from '../src/store/embedded/embeddedPostgres.ts';
import { migrate } from '../src/store/migrate.ts';
import { silentLog } from '../src/testing.ts';

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
