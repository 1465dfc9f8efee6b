/**
 * A worker process for tests that dies at a chosen query as if it had been killed:
 *
 *   node crashingWorker.ts CONNECTION_JSON QUERY_NUMBER before|after
 *
 * It exits with status 0 when no work is left.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { connectDatabase } from '@clew/store';
import { silentLog } from '@clew/store/testing';
import pg from 'pg';
import { isIdle } from './isIdle.ts';
import { startTestWorker } from './testWorker.ts';

const [connection, crashAt, moment] = process.argv.slice(2);

const die = (): void => void process.kill(process.pid, 'SIGKILL');

/** COPY uses the same path, so every step of the work is a query. */
function dieAt(query: number): void {
  const send = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  let count = 0;
  pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
    const last = ++count === query;
    if (last && moment === 'before') die();
    const answer = send.apply(this, args);
    // The query was sent, and may be running.
    if (last) setTimeout(die, 1);
    return answer;
  } as typeof pg.Client.prototype.query;
}

const database = connectDatabase(JSON.parse(connection), silentLog);
const watch = connectDatabase(JSON.parse(connection), silentLog, { maxConnections: 1 });
await watch.pool.connect().then((client) => {
  // Queries that only observe do not count.
  client.query = pg.Client.prototype.query.bind(client) as typeof client.query;
  client.release();
});
dieAt(Number(crashAt));
const worker = startTestWorker(database);
while (!(await isIdle(watch))) await sleep(10);
await worker.stop();
await database.close();
await watch.close();
