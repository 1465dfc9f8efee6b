/** Tests workers that share a database: in a thread or in this process, with or without tasks. */
import { JOB_STATUS } from '@clew/api';
import type { Generation } from '@clew/generation';
import { ace, collection, emptyStore, findUploadJob, upload, userRecord } from '@clew/intake/testing';
import { type Database, factsChanged, Listener } from '@clew/store';
import { silentLog, startTestDatabase } from '@clew/store/testing';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { buildContext } from '../test/generations/builds.ts';
import { buildGeneration } from './generations/buildGeneration.ts';
import { type RunningWorker, startWorker } from './worker.ts';
import { startWorkerThread, type ThreadOptions, type WorkerThread } from './workerThread.ts';

let database: Database;
const running: (RunningWorker | WorkerThread)[] = [];

beforeAll(async () => {
  database = await startTestDatabase();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((worker) => worker.stop()));
  await emptyStore(database);
});
afterAll(() => database.close());

const options = {
  analysis: { mode: 'clean' as const },
  limits: { archive: {} },
  aging: { objectDays: 30, sessionDays: 30, auditDays: 365, jobDays: 90, differenceDays: 90 },
};

function startThread(tasks: boolean): WorkerThread {
  const threadOptions: ThreadOptions = {
    ...options,
    tasks,
    connection: database.connection,
    logLevel: 'silent',
  };
  const thread = startWorkerThread(threadOptions, silentLog);
  running.push(thread);
  return thread;
}

const until = <T>(read: () => T | Promise<T>) => vi.waitUntil(read, { timeout: 100_000, interval: 10 });

function uploadUser(id: string): Promise<number> {
  const content = collection('users', userRecord(id, { Aces: [ace('S-9', 'GenericAll')] }));
  return upload(database, { name: 'users.json', content });
}

async function isComplete(jobId: number): Promise<boolean> {
  return (await findUploadJob(database.db, jobId))?.status === JOB_STATUS.complete;
}

it('hands a generation over from the worker thread before its job is complete', async () => {
  const thread = startThread(true);
  await thread.ready;
  const before = thread.generations.current().id;
  const swaps: Generation[] = [];
  thread.generations.onSwap((generation) => swaps.push(generation));
  const jobId = await uploadUser('S-1');
  await until(() => isComplete(jobId));
  const { id, graph, collected } = thread.generations.current();
  expect(id).toBeGreaterThan(before);
  expect([graph.nodeCount, collected.total_edges]).toEqual([2, 1]);
  expect(graph.out.neighbors.buffer).toBeInstanceOf(SharedArrayBuffer);
  expect(swaps.map((generation) => generation.id)).toEqual([id]);
});

it('lets a thread without tasks follow the publications of others, and load the newest at its start', async () => {
  const following = startThread(false);
  await following.ready;
  const worker = startThread(true);
  const jobId = await uploadUser('S-1');
  await until(() => isComplete(jobId));
  const { id } = worker.generations.current();
  await until(() => following.generations.current().id === id);
  const late = startThread(false);
  await late.ready;
  expect(late.generations.current()).toEqual(worker.generations.current());
});

it('leaves the work to others if it has no tasks', async () => {
  const idle = startThread(false);
  await idle.ready;
  const jobId = await uploadUser('S-1');
  // Published after the upload: a worker that has seen it was also notified of the upload.
  const { id } = idle.generations.current();
  await factsChanged(database.db);
  await buildGeneration(buildContext(database, () => {}));
  await until(() => idle.generations.current().id > id);
  expect((await findUploadJob(database.db, jobId))?.status).toBe(JOB_STATUS.ingesting);
});

it('shares the jobs among several workers, each processed once', async () => {
  const made: Generation[] = [];
  for (let workers = 0; workers < 3; workers++) {
    const worker = startWorker({
      ...options,
      database,
      tasks: true,
      handOver: async (generation) => void made.push(generation),
      log: silentLog,
    });
    running.push(worker);
    await worker.ready;
  }
  const jobs = await Promise.all(Array.from({ length: 6 }, (_, at) => uploadUser(`S-${at}`)));
  for (const jobId of jobs) await until(() => isComplete(jobId));
  const { rows } = await database.pool.query(
    'select job_id, count(*) as tasks from ingest_task group by job_id',
  );
  expect(rows.map(({ tasks }) => tasks)).toEqual(jobs.map(() => 1));
  const attempts = await database.pool.query('select distinct attempts from upload_job');
  expect(attempts.rows).toEqual([{ attempts: 1 }]);
  expect(Math.max(...made.map(({ graph }) => graph.nodeCount))).toBe(7);
});

it('builds a generation when facts change outside ingest', async () => {
  const thread = startThread(true);
  const jobId = await uploadUser('S-1');
  await until(() => isComplete(jobId));
  const { id } = thread.generations.current();
  await factsChanged(database.db);
  await until(() => thread.generations.current().id > id);
});

it('listens again after its connection was cut', async () => {
  const received: string[] = [];
  let connections = 0;
  const listener = new Listener({
    connection: { ...database.connection, application_name: 'cut me' },
    channels: ['clew_test'],
    onNotification: (_, payload) => received.push(payload),
    onConnected: () => connections++,
    log: silentLog,
  });
  await until(() => connections === 1);
  await database.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cut me'",
  );
  await until(() => connections === 2);
  await database.pool.query("select pg_notify('clew_test', 'again')");
  await until(() => received.length === 1);
  expect(received).toEqual(['again']);
  await listener.stop();
});

it('stops while a thread that died has not been restarted yet', async () => {
  const failed = Promise.withResolvers<void>();
  const log = { ...silentLog, error: () => failed.resolve() };
  // No thread starts with a level that does not exist.
  const thread = startWorkerThread(
    { ...options, tasks: true, connection: database.connection, logLevel: 'no level' as never },
    log,
  );
  await failed.promise;
  await thread.stop();
});
