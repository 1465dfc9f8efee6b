/** Ingest behind a real PgBouncer, which gives the sessions of clients that have ended to the next ones. Skipped where it is not installed. */
import { JOB_STATUS } from '@clew/api';
import { type Database, openDatabase, ServerClient } from '@clew/store';
import { hasPooler, silentLog, startPooler, startTestDatabase } from '@clew/store/testing';
import { expect, it, vi } from 'vitest';
import { collection, userRecord } from '../../test/ingest/sharpHound.ts';
import { ingestContext, upload } from '../../test/ingest/uploads.ts';
import { drainIngest } from './drainIngest.ts';

/** More than the pooler has sessions. */
const UPLOADS = 35;

/** Does what housekeeping does, with buffers of the usual size: the session keeps these for good. */
async function useTemporaryTable({ connection }: Database): Promise<void> {
  const client = new ServerClient(connection);
  await client.connect();
  await client.query('create temporary table stage_node as select 1 as number');
  await client.end();
}

it.skipIf(!hasPooler)('continues for any number of uploads, each by another client', async () => {
  const server = await startTestDatabase();
  const pooler = await startPooler(server, 'session');
  const database = await vi.waitFor(
    () => openDatabase({ databaseUrl: pooler.url, dataDirectory: '/', log: silentLog }),
    { timeout: 100_000, interval: 50 },
  );
  for (let number = 1; number <= UPLOADS; number++) {
    const content = collection('users', userRecord(`S-1-5-21-1-${1000 + number}`));
    await upload(database, { name: `${number}.json`, content });
    await useTemporaryTable(database);
    await drainIngest(ingestContext(database));
  }
  const { rows } = await database.pool.query(
    'select status, count(*)::integer as jobs from upload_job group by status',
  );
  expect(rows).toEqual([{ status: JOB_STATUS.analyzing, jobs: UPLOADS }]);
  await database.close();
  await pooler.stop();
  await server.close();
});
