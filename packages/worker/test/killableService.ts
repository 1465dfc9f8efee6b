/**
 * Database and worker in one process, for tests that kill it:
 *
 *   node killableService.ts DATA_DIRECTORY
 *
 * Prints the connection as JSON when it works, and stops on SIGTERM.
 */

import { EmbeddedPostgres } from '@clew/embedded';
import { connectDatabase, migrate } from '@clew/store';
import { silentLog } from '@clew/store/testing';
import { startWorker } from '../src/worker.ts';

const [directory] = process.argv.slice(2);
const server = await EmbeddedPostgres.start({ directory, log: silentLog });
const database = connectDatabase(server.connection, silentLog);
await migrate(database.pool);
const worker = startWorker({
  database,
  tasks: true,
  analysis: { mode: 'clean' },
  limits: { archive: {} },
  aging: { objectDays: 7, sessionDays: 3, auditDays: 365, jobDays: 90, differenceDays: 90 },
  handOver: async () => {},
  log: silentLog,
});
process.once('SIGTERM', async () => {
  await worker.stop();
  await database.close();
  await server.stop();
});
process.stdout.write(`${JSON.stringify(server.connection)}\n`);
