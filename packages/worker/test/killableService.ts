/**
 * Database and worker in one process, for tests that kill it:
 *
 *   node killableService.ts DATA_DIRECTORY
 *
 * Prints the connection as JSON when it is ready, and stops on SIGTERM.
 */

import { EmbeddedPostgres } from '@clew/embedded';
import { connectDatabase, migrate } from '@clew/store';
import { silentLog } from '@clew/store/testing';
import { startTestWorker } from './testWorker.ts';

const [directory] = process.argv.slice(2);
const server = await EmbeddedPostgres.start({ directory, log: silentLog });
const database = connectDatabase(server.connection, silentLog);
await migrate(database.pool);
const worker = startTestWorker(database);
process.once('SIGTERM', async () => {
  await worker.stop();
  await database.close();
  await server.stop();
});
process.stdout.write(`${JSON.stringify(server.connection)}\n`);
