/** Jobs that are canceled, take too long, fail by themselves or fail with their surroundings. */
import { JOB_STATUS } from '@clew/api';
import { TaskLoop } from '@clew/common';
import { connectDatabase, type Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyStore } from '../../test/ingest/emptyStore.ts';
import { collection, userRecord } from '../../test/ingest/sharpHound.ts';
import { ingestAll, ingestContext, upload } from '../../test/ingest/uploads.ts';
import { drainIngest } from './drainIngest.ts';
import {
  cancelUploadJob,
  createUploadJob,
  expireUploadJobs,
  removeUnneededBytes,
  retryUploadJob,
} from './jobStatus.ts';
import { completedTasks, findUploadJob, type UploadJob } from './uploadJobs.ts';
import { uploadRoom } from './uploadRoom.ts';

let database: Database;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyStore(database));

const job = async (id: number) => (await findUploadJob(database.db, id)) as UploadJob;
const users = (n: number) => ({
  name: `${n}.json`,
  content: collection('users', userRecord(`S-1-5-21-1-${n}`)),
});

async function chunks(): Promise<number> {
  const { rows } = await database.pool.query('select count(*)::integer as count from upload_chunk');
  return rows[0].count;
}

/** Until it is called off, each file that is done with ends in an error of the database. */
async function failing(sqlState: string, job?: number): Promise<() => Promise<void>> {
  const { pool } = database;
  await pool.query(`
    create or replace function fail_here() returns trigger language plpgsql as $$ begin
      if ${job === undefined ? 'true' : `new.job_id = ${job}`} then
        raise exception 'could not extend file' using errcode = '${sqlState}';
      end if;
      return new;
    end $$;
    create or replace trigger fail_here before insert on ingest_task for each row execute function fail_here()`);
  return async () => void (await pool.query('drop trigger fail_here on ingest_task'));
}

it('releases a job during a long lock, and continues automatically', async () => {
  const limited = connectDatabase(database.connection, ingestContext(database).log, { lockTimeoutMs: 100 });
  const id = await upload(database, users(1103));
  const operator = await database.pool.connect();
  await operator.query('begin; lock table ingest_task in access exclusive mode');
  const said: (string | undefined)[] = [];
  const loop = new TaskLoop(
    {
      name: 'ingest',
      delayMs: 0,
      run: (signal) => drainIngest(ingestContext(limited, signal)),
      onObstacle: (fault) => void said.push(fault),
    },
    ingestContext(database).log,
  );
  loop.wake();
  await vi.waitUntil(() => said.length >= 3, { timeout: 100_000 });
  expect(new Set(said)).toEqual(new Set(['a database lock is held for a long time']));
  expect(await job(id)).toMatchObject({ status: JOB_STATUS.ingesting, failures: 0, attempts: 0 });
  await operator.query('rollback');
  operator.release();
  await vi.waitUntil(async () => (await job(id)).status === JOB_STATUS.analyzing, { timeout: 100_000 });
  await loop.stop();
  await limited.close();
});

describe('a full disk', () => {
  it('uses up no attempts of a job: it waits, reports it, and continues automatically', async () => {
    const id = await upload(database, users(1104));
    const callOff = await failing('53100');
    const said: (string | undefined)[] = [];
    const loop = new TaskLoop(
      {
        name: 'ingest',
        delayMs: 0,
        run: (signal) => drainIngest(ingestContext(database, signal)),
        onObstacle: (fault) => void said.push(fault),
      },
      ingestContext(database).log,
    );
    loop.wake();
    // More often than a job may fail by itself.
    await vi.waitUntil(() => said.length >= 4, { timeout: 100_000 });
    expect(said.every((fault) => fault === 'the disk is full')).toBe(true);
    expect(await job(id)).toMatchObject({ status: JOB_STATUS.ingesting, failures: 0, attempts: 0 });
    await callOff();
    await vi.waitUntil(async () => (await job(id)).status === JOB_STATUS.analyzing, { timeout: 100_000 });
    await vi.waitUntil(() => said.at(-1) === undefined, { timeout: 100_000 });
    await loop.stop();
  });

  it('is shown in the message of each waiting job', async () => {
    const { noteObstacle } = await import('./jobStatus.ts');
    const id = await upload(database, users(1104));
    await noteObstacle(database.db, 'ingest', 'the disk is full');
    expect(await job(id)).toMatchObject({
      status: JOB_STATUS.ingesting,
      status_message: 'Waiting: the disk is full. Ingest continues automatically.',
    });
    await ingestAll(database);
    expect(await job(id)).toMatchObject({ status: JOB_STATUS.analyzing, status_message: 'Analyzing' });
  });

  it('causes rejected uploads before it happens', async () => {
    const room = uploadRoom(database.db, { waitingBytes: 2 ** 40, freeBytes: 2 ** 60, directory: '/' });
    await expect(room()).rejects.toMatchObject({ status: 507 });
    await expect(uploadRoom(database.db, { waitingBytes: 1, freeBytes: 0 })()).resolves.toBeUndefined();
    await upload(database, users(1104));
    await expect(uploadRoom(database.db, { waitingBytes: 1, freeBytes: 0 })()).rejects.toMatchObject({
      status: 507,
      message: expect.stringMatching(/^uploads of \d+ bytes wait for ingest, and the limit is 1;/),
    });
  });
});

describe('a job that fails on its own', () => {
  it('does not block later jobs, is given up, and can be retried', async () => {
    const bad = await upload(database, users(1104));
    const good = await upload(database, users(1105));
    const callOff = await failing('22000', bad);
    const attempts: string[] = [];
    for (let n = 0; n < 3; n++) {
      await ingestAll(database).catch((error) => attempts.push(error.message));
      // After its first failure the other one is ingested before it.
      if (n === 1) expect(await job(good)).toMatchObject({ status: JOB_STATUS.analyzing });
    }
    expect(attempts).toHaveLength(2);
    expect(await job(bad)).toMatchObject({ status: JOB_STATUS.failed });
    await callOff();
    await expect(retryUploadJob(database.db, good)).rejects.toMatchObject({ status: 400 });
    await expect(retryUploadJob(database.db, 1_000_000)).rejects.toMatchObject({ status: 404 });
    await retryUploadJob(database.db, bad);
    await ingestAll(database);
    expect(await job(bad)).toMatchObject({ status: JOB_STATUS.analyzing, failures: 0 });
  });

  it('loses its bytes after a week', async () => {
    const id = await upload(database, users(1104));
    await database.pool.query(
      `update upload_job set status = ${JOB_STATUS.failed}, end_time = now() - interval '6 days'`,
    );
    expect(await removeUnneededBytes(database.db)).toBe(0);
    await database.pool.query(`update upload_job set end_time = now() - interval '8 days'`);
    expect(await removeUnneededBytes(database.db)).toBe(1);
    expect(await chunks()).toBe(0);
    await expect(retryUploadJob(database.db, id)).rejects.toMatchObject({ status: 400 });
  });
});

describe('a canceled job', () => {
  it('accepts no more files and loses its bytes', async () => {
    const { id } = await createUploadJob(database.db, { userId: null, emailAddress: null });
    await cancelUploadJob(database.db, id);
    expect(await job(id)).toMatchObject({ status: JOB_STATUS.canceled, status_message: 'Canceled' });
    await expect(cancelUploadJob(database.db, id)).rejects.toMatchObject({ status: 400 });
    await expect(cancelUploadJob(database.db, 1_000_000)).rejects.toMatchObject({ status: 404 });
    const waiting = await upload(database, users(1104));
    await cancelUploadJob(database.db, waiting);
    await ingestAll(database);
    expect(await job(waiting)).toMatchObject({ status: JOB_STATUS.canceled });
    expect(await removeUnneededBytes(database.db)).toBe(1);
    expect(await chunks()).toBe(0);
  });

  it('is released during the merge, and its facts are discarded', async () => {
    const many = Array.from({ length: 60_000 }, (_, n) => userRecord(`S-1-5-21-1-${1000 + n}`));
    const id = await upload(database, { name: 'many.json', content: collection('users', ...many) });
    const next = await upload(database, users(1));
    const ingesting = ingestAll(database);
    await vi.waitUntil(async () => (await job(id)).attempts === 1, { timeout: 100_000 });
    await cancelUploadJob(database.db, id);
    await ingesting;
    expect(await job(id)).toMatchObject({ status: JOB_STATUS.canceled });
    expect(await job(next)).toMatchObject({ status: JOB_STATUS.analyzing });
    const { rows } = await database.pool.query('select count(*)::integer as count from node');
    expect(rows[0].count).toBeLessThan(100);
  });
});

describe('a job without an uploader', () => {
  it('loses its bytes when it times out', async () => {
    const id = await upload(database, users(1104));
    await database.pool.query(
      `update upload_job set status = ${JOB_STATUS.running}, last_ingest = now() - interval '21 minutes'`,
    );
    await expireUploadJobs(database.db);
    expect(await job(id)).toMatchObject({ status: JOB_STATUS.timedOut });
    expect(await removeUnneededBytes(database.db)).toBe(1);
    expect(await chunks()).toBe(0);
  });
});

describe('a file that takes too long', () => {
  it('is stopped, reported, and kept up to that point', async () => {
    const many = Array.from({ length: 60_000 }, (_, n) => userRecord(`S-1-5-21-1-${1000 + n}`));
    const id = await upload(database, { name: 'many.json', content: collection('users', ...many) }, users(1));
    const context = ingestContext(database);
    await drainIngest({ ...context, limits: { ...context.limits, fileMs: 150 } });
    expect(await job(id)).toMatchObject({ status: JOB_STATUS.analyzing, partial_files: expect.any(Number) });
    const [other, late] = (await completedTasks(database.db, id)).map(({ errors }) => errors);
    expect(other).toEqual([]);
    expect(late[0]).toMatch(
      /^reading the file took too long, and the rest of it was skipped: after 0 minutes \(at byte/,
    );
  });
});
