/**
 * Ingest from upload to stored facts: new objects with ten edges each, the same collection again, and one in which a
 * hundredth of the objects changed. Budgets: 15,000 new, 50,000 unchanged and 40,000 mostly
 * unchanged objects per second, less than 1 GB.
 */
import { JOB_STATUS } from '@clew/api';
import { drainIngest } from '@clew/intake';
import { createUploadJob, endUploadJob, findUploadJob, storeUpload } from '@clew/intake/testing';
import type { Database } from '@clew/store';
import { openBenchDatabase, silentLog } from '@clew/store/testing';
import { EDGES_OF_USER, type UserFileOptions, userFile } from './userFiles.ts';

const USERS = { small: 10_000, large: 100_000 } as const;

interface Measurement {
  readonly name: string;
  readonly figures: Readonly<Record<string, number>>;
}

export default {
  name: 'service: ingest',
  async run({ scale }: { readonly scale: keyof typeof USERS }): Promise<Measurement[]> {
    const users = USERS[scale];
    const database = await openBenchDatabase();
    try {
      const measurements = [
        await measure(database, 'new objects', { users, run: 1 }),
        await measure(database, 'the same objects again', { users, run: 2 }),
        await measure(database, 'one object in a hundred changed', { users, run: 3, changedEvery: 100 }),
      ];
      await expectEdges(database, users * EDGES_OF_USER);
      return measurements;
    } finally {
      await database.close();
    }
  },
};

async function measure(database: Database, name: string, file: UserFileOptions): Promise<Measurement> {
  const cpu = process.cpuUsage();
  const began = performance.now();
  const { id } = await createUploadJob(database.db, { userId: null, emailAddress: null });
  const stream = (async function* () {
    yield* userFile(file);
  })();
  await storeUpload(
    database.db,
    id,
    { name: 'users.json', contentType: 'application/json', stream },
    { uploadBytes: 2 ** 40 },
  );
  await endUploadJob(database.db, id);
  const uploaded = performance.now();
  const { user, system } = process.cpuUsage(cpu);
  await drainIngest({
    database,
    limits: { archive: {} },
    betweenJobs: async () => {},
    log: silentLog,
    signal: new AbortController().signal,
  });
  const seconds = (performance.now() - uploaded) / 1000;
  const ingestCpu = process.cpuUsage(cpu);
  const job = await findUploadJob(database.db, id);
  if (job?.status !== JOB_STATUS.analyzing || job.partial_files + job.failed_files > 0)
    throw new Error('ingest failed');
  return {
    name,
    figures: {
      'objects/s': Math.round(file.users / seconds),
      'upload ms': Math.round(uploaded - began),
      'µs of processor an object, without the database': Math.round(
        (ingestCpu.user + ingestCpu.system - user - system) / file.users,
      ),
      'peak RSS MB': Math.round(process.resourceUsage().maxRSS / 1024),
    },
  };
}

async function expectEdges(database: Database, expected: number): Promise<void> {
  const { rows } = await database.pool.query(
    'select sum(cardinality(start_ids))::integer as edges from edge_set',
  );
  if (rows[0].edges !== expected) throw new Error(`${rows[0].edges} edges instead of ${expected}`);
}
