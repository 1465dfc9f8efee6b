/** Tests that every accepted job ends, whatever is killed at any time, and that the facts equal those of an undisturbed run. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { JOB_STATUS } from '@clew/api';
import { sampledCases } from '@clew/common/testing';
import { EmbeddedPostgres } from '@clew/embedded';
import { dumpFacts, emptyStore, ingestAll, upload } from '@clew/intake/testing';
import { connectDatabase, type Database, migrate } from '@clew/store';
import { silentLog, startTestDatabase } from '@clew/store/testing';
import { generateForest, writeForestZip } from '@clew/synthetic';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildContext } from '../test/generations/builds.ts';
import { isIdle } from '../test/isIdle.ts';
import { startTestWorker } from '../test/testWorker.ts';
import { buildGeneration } from './generations/buildGeneration.ts';

const CRASHING = new URL('../test/crashingWorker.ts', import.meta.url);
const KILLABLE = new URL('../test/killableService.ts', import.meta.url);

const directory = mkdtempSync(join(tmpdir(), 'clew-crash-'));
/** The result of every run, except for its times. */
let undisturbed: string;
let archive: Buffer;
let database: Database;

beforeAll(async () => {
  const path = join(directory, 'forest.zip');
  const forest = generateForest({ users: 1, seed: 7 });
  // A few files of each kind of record: every file adds the same few queries.
  const files = forest.files.filter(({ type }) =>
    ['domains', 'groups', 'computers', 'enterprisecas'].includes(type),
  );
  await writeForestZip({ ...forest, files: files.slice(0, 5) }, path);
  archive = readFileSync(path);
  database = await startTestDatabase();
  await uploadForest(database);
  await finish(database);
  undisturbed = await dumpFacts(database.pool, { times: false });
});
afterAll(async () => {
  await database.close();
  rmSync(directory, { recursive: true, force: true });
});

function uploadForest(into: Database): Promise<number> {
  return upload(into, { name: 'forest.zip', content: archive });
}

async function finish(on: Database): Promise<void> {
  await ingestAll(on);
  await buildGeneration(buildContext(on, () => {}));
}

const PATIENCE = { timeout: 100_000, interval: 20 };

/** Processes of the killed database may still answer for a moment. */
const untilSuccessor = (server: EmbeddedPostgres, killed: number) =>
  vi.waitUntil(() => server.pid !== undefined && server.pid !== killed, PATIENCE);

const untilIdle = (on: Database) => vi.waitUntil(() => isIdle(on).catch(() => false), PATIENCE);

async function expectUndisturbed(on: Database, jobId: number): Promise<void> {
  const { rows } = await on.pool.query(
    'select status, total_files, failed_files from upload_job where id = $1',
    [jobId],
  );
  expect(rows[0]).toMatchObject({ status: JOB_STATUS.complete, failed_files: 0 });
  expect(await dumpFacts(on.pool, { times: false })).toBe(undisturbed);
  const chunks = await on.pool.query('select from upload_chunk');
  expect(chunks.rowCount).toBe(0);
}

function node(script: URL, ...args: string[]): ChildProcess {
  return spawn(process.execPath, [fileURLToPath(script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

describe('a worker that is killed', () => {
  // A run makes about 110 queries, from finding the job to publishing its generation.
  const points = [5, 14, 23, 32, 41, 50, 59, 68, 77, 86, 95, 104];

  it.each(sampledCases(points, 6))('at query %i leaves a job that the next one completes', async (query) => {
    await emptyStore(database);
    const jobId = await uploadForest(database);
    const moment = query % 2 === 0 ? 'after' : 'before';
    const worker = node(CRASHING, JSON.stringify(database.connection), String(query), moment);
    const [status, signal] = await once(worker, 'exit');
    expect([status, signal]).toEqual([null, 'SIGKILL']);
    await finish(database);
    await expectUndisturbed(database, jobId);
  });
});

describe('a database that is killed', () => {
  it('restarts, and the worker continues', async () => {
    const server = await EmbeddedPostgres.start({ directory: join(directory, 'database'), log: silentLog });
    const own = connectDatabase(server.connection, silentLog);
    await migrate(own.pool);
    const worker = startTestWorker(own);
    await worker.ready;
    try {
      for (const delay of sampledCases([30, 90, 180, 300, 450], 5)) {
        await emptyStore(own);
        const jobId = await uploadForest(own);
        await sleep(delay);
        const killed = server.pid as number;
        process.kill(killed, 'SIGKILL');
        await untilSuccessor(server, killed);
        await untilIdle(own);
        await expectUndisturbed(own, jobId);
      }
    } finally {
      await worker.stop();
      await own.close();
      await server.stop();
    }
  });
});

describe('a service that is killed with its database running', () => {
  it('stops the orphaned database at the next start and completes the job', async () => {
    const data = join(directory, 'service');
    let jobId: number | undefined;
    for (const delay of sampledCases([50, 200, 400], 3)) {
      const service = node(KILLABLE, data);
      const connection = await firstLine(service);
      const own = connectDatabase(JSON.parse(connection), silentLog);
      jobId ??= await uploadForest(own);
      await own.close();
      await sleep(delay);
      service.kill('SIGKILL');
      await once(service, 'exit');
    }
    const service = node(KILLABLE, data);
    const own = connectDatabase(JSON.parse(await firstLine(service)), silentLog);
    await untilIdle(own);
    await expectUndisturbed(own, jobId as number);
    await own.close();
    service.kill('SIGTERM');
    expect(await once(service, 'exit')).toEqual([0, null]);
  });
});

async function firstLine(service: ChildProcess): Promise<string> {
  const lines = createInterface({ input: service.stdout as NodeJS.ReadableStream });
  return (await once(lines, 'line'))[0];
}
