/** Uploads on their way into the store: whole jobs, from bytes to facts, statuses and reports. */
import { JOB_STATUS } from '@clew/api';
import type { Generation } from '@clew/generation';
import { buildContext, buildGeneration } from '@clew/service/testing';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { edgesOf } from '@clew/synthetic/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dumpFacts } from '../../test/ingest/dumpFacts.ts';
import { emptyStore } from '../../test/ingest/emptyStore.ts';
import { ace, collection, computerRecord, groupRecord, userRecord } from '../../test/ingest/sharpHound.ts';
import {
  archiveOf,
  GENERATED_COLLECTION,
  generatedForest,
  SAMPLE_COLLECTION,
} from '../../test/ingest/testCollections.ts';
import { ingestAll, ingestContext, type TestUpload, upload, zipOf } from '../../test/ingest/uploads.ts';
import { drainIngest } from './drainIngest.ts';
import { createUploadJob, endUploadJob, expireUploadJobs } from './jobStatus.ts';
import { completedTasks, findUploadJob, type UploadJob } from './uploadJobs.ts';

let database: Database;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyStore(database));

async function job(id: number): Promise<UploadJob> {
  return (await findUploadJob(database.db, id)) as UploadJob;
}

async function ingest(...files: TestUpload[]): Promise<UploadJob> {
  const id = await upload(database, ...files);
  await ingestAll(database);
  return job(id);
}

async function publish(): Promise<{ published: boolean; generation: Generation | undefined }> {
  let generation: Generation | undefined;
  const published = await buildGeneration(buildContext(database, (made) => (generation = made)));
  return { published, generation };
}

async function edges(): Promise<string[]> {
  const { rows } = await database.pool.query('select start_id, kind, end_id from edge');
  return rows.map((row) => `${row.start_id} ${row.kind} ${row.end_id}`).sort();
}

const users = (...records: object[]) => ({ name: 'users.json', content: collection('users', ...records) });
const brokenFile = { name: 'broken.json', content: '{"meta":{"type":"users","version":6},"data":[{"a":' };

describe('the status of a job', () => {
  it('goes from ingesting over analyzing to complete, and its data then answers queries', async () => {
    const id = await upload(database, users(userRecord('S-1-5-21-1-1104')));
    expect(await job(id)).toMatchObject({ status: JOB_STATUS.ingesting, status_message: '' });
    await ingestAll(database);
    expect(await job(id)).toMatchObject({
      status: JOB_STATUS.analyzing,
      status_message: 'Analyzing',
      total_files: 1,
    });
    const statuses: number[] = [];
    const context = buildContext(database, () => {});
    await buildGeneration({ ...context, handOver: async () => void statuses.push((await job(id)).status) });
    expect(statuses).toEqual([JOB_STATUS.analyzing]);
    expect(await job(id)).toMatchObject({
      status: JOB_STATUS.complete,
      status_message: 'Complete',
      failed_files: 0,
    });
  });

  it('is complete for a run of a collector without files', async () => {
    const { id } = await createUploadJob(database.db, { userId: null, emailAddress: null, clientId: 'C-1' });
    await endUploadJob(database.db, id);
    await ingestAll(database);
    expect((await job(id)).status).toBe(JOB_STATUS.analyzing);
    await publish();
    expect(await job(id)).toMatchObject({ status: JOB_STATUS.complete, total_files: 0 });
  });

  it('is partially complete when some files failed', async () => {
    const { id } = await ingest({
      name: 'a.zip',
      content: await zipOf(users(userRecord('S-1')), brokenFile),
    });
    await publish();
    expect(await job(id)).toMatchObject({
      status: JOB_STATUS.partiallyComplete,
      status_message: '1 File(s) failed to ingest as JSON Content',
      total_files: 2,
      failed_files: 1,
    });
  });

  it('is partially complete when some records failed', async () => {
    const { id } = await ingest({
      name: 'a.zip',
      content: await zipOf(users(userRecord('S-1'), { Properties: {} })),
    });
    await publish();
    expect(await job(id)).toMatchObject({
      status: JOB_STATUS.partiallyComplete,
      status_message: '1 File(s) partially failed to ingest as JSON Content',
      failed_files: 0,
    });
    expect(await edges()).toEqual([]);
  });

  it('is failed immediately if every file failed', async () => {
    expect(await ingest({ name: 'a.zip', content: await zipOf(brokenFile) })).toMatchObject({
      status: JOB_STATUS.failed,
      status_message: 'All files failed to ingest as JSON Content',
      total_files: 1,
      failed_files: 1,
    });
  });

  it('fails if the analysis failed, and keeps the earlier derived edges', async () => {
    const { id } = await ingest(users(userRecord('S-1', { Aces: [ace('S-2', 'GenericAll')] })));
    const context = buildContext(database, () => {});
    const run = () => {
      throw new Error('a fault in a rule');
    };
    await buildGeneration({ ...context, analysis: { ...context.analysis, run } });
    expect(await job(id)).toMatchObject({ status: JOB_STATUS.failed, status_message: 'Analysis failed' });
  });

  it('is timed out after 20 minutes without activity', async () => {
    const { rows } = await database.pool.query(
      `insert into upload_job (status, last_ingest) values (1, now() - interval '19 minutes'), (1, now() - interval '21 minutes')
       returning id`,
    );
    expect(await expireUploadJobs(database.db)).toBe(1);
    expect(await job(rows[0].id)).toMatchObject({ status: JOB_STATUS.running });
    expect(await job(rows[1].id)).toMatchObject({
      status: JOB_STATUS.timedOut,
      status_message: 'Ingest timeout: No ingest activity observed in 20.000000 minutes. Upload incomplete.',
    });
  });

  it('is failed if the service itself fails, and later jobs continue', async () => {
    const bad = await upload(database, users(userRecord('S-1')));
    await database.pool.query('update upload_file set size = size + 5000000 where job_id = $1', [bad]);
    const good = await upload(database, users(userRecord('S-2')));
    const context = ingestContext(database);
    await expect(drainIngest(context)).rejects.toThrow('missing');
    await expect(drainIngest(context)).rejects.toThrow('missing');
    await drainIngest(context);
    expect((await job(bad)).status).toBe(JOB_STATUS.failed);
    expect((await job(good)).status).toBe(JOB_STATUS.analyzing);
  });
});

describe('the report of a job', () => {
  it('has an entry for each file, with the archive it came from', async () => {
    const { id } = await ingest(
      {
        name: 'b.zip',
        content: await zipOf(
          { name: 'deep/users.json', content: collection('users', userRecord('S-1')) },
          brokenFile,
        ),
      },
      { name: 'a.json', content: collection('groups', groupRecord('S-2')) },
      { name: 'c.zip', content: await zipOf({ name: 'notes.txt', content: 'no collection' }) },
    );
    const tasks = await completedTasks(database.db, id);
    expect(
      tasks.map(({ file_name, parent_file_name, outcome }) => [file_name, parent_file_name, outcome]),
    ).toEqual([
      ['a.json', '', 'ok'],
      ['broken.json', 'b.zip', 'failed'],
      ['notes.txt', 'c.zip', 'failed'],
      ['deep/users.json', 'b.zip', 'ok'],
    ]);
    expect(tasks[0].errors).toEqual([]);
    expect(tasks[1].errors[0]).toContain('file is not valid json');
    expect(tasks[3].report).toMatchObject({
      format: 'sharphound',
      type: 'users',
      objects: { read: 1, repaired: 0, rejected: 0 },
    });
  });

  it('reports values that could not be stored', async () => {
    const id = `S-1-5-21-${'9'.repeat(3000)}`;
    const { id: jobId } = await ingest(users(userRecord('S-1', { Aces: [ace(id, 'GenericAll')] })));
    const [task] = await completedTasks(database.db, jobId);
    expect(task.outcome).toBe('partial');
    expect(task.errors.join()).toContain('the object id is longer than 2048 bytes');
  });
});

describe('collecting again', () => {
  const withAces = (...entries: object[]) => users(userRecord('S-1', { Aces: entries }));

  it('removes a missing entry', async () => {
    await ingest(withAces(ace('S-2', 'GenericAll'), ace('S-3', 'WriteDacl')));
    expect(await edges()).toEqual(['S-2 GenericAll S-1', 'S-3 WriteDacl S-1']);
    await ingest(withAces(ace('S-3', 'WriteDacl')));
    expect(await edges()).toEqual(['S-3 WriteDacl S-1']);
  });

  it('changes nothing if the same file is uploaded again, and starts no new generation', async () => {
    await ingest(withAces(ace('S-2', 'GenericAll')));
    expect((await publish()).published).toBe(true);
    const dump = await dumpFacts(database.pool);
    const { id } = await ingest(withAces(ace('S-2', 'GenericAll')));
    expect(await dumpFacts(database.pool)).toBe(dump);
    expect((await publish()).published).toBe(false);
    expect((await job(id)).status).toBe(JOB_STATUS.complete);
  });

  it('does not depend on the order of arrival of its files', async () => {
    const files = [
      {
        name: '1_groups.json',
        content: collection('groups', groupRecord('S-9', { Properties: { name: 'first' } })),
      },
      {
        name: '2_groups.json',
        content: collection('groups', groupRecord('S-9', { Properties: { name: 'second' } })),
      },
      { name: '3_computers.json', content: collection('computers', computerRecord('S-8')) },
    ];
    const dumps: string[] = [];
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      await emptyStore(database);
      await ingest(...order.map((at) => files[at]));
      dumps.push(await dumpFacts(database.pool, { times: false }));
    }
    expect(dumps[0]).toContain('SECOND');
    expect(new Set(dumps).size).toBe(1);
  });

  it('reads runs in order, and in each run first the most referenced files', async () => {
    const names = ['2_domains', '2_users', '1_containers', '1_groups', '1_computers', '1_users', 'notes'];
    const computers = collection('computers', computerRecord('S-8'));
    const { id } = await ingest(...names.map((name) => ({ name: `${name}.json`, content: computers })));
    const { rows } = await database.pool.query<{ name: string }>(
      `select split_part(file_name, '.', 1) as name from ingest_task where job_id = $1 order by number`,
      [id],
    );
    expect(rows.map(({ name }) => name)).toEqual([
      ...['1_users', '1_computers', '1_groups', '1_containers'],
      ...['2_users', '2_domains', 'notes'],
    ]);
  });
});

describe('a generated collection', () => {
  it('creates the same nodes and edges as a plain reading, also if it is uploaded twice', async () => {
    const forest = generatedForest();
    const edges = new Set(
      forest.files.flatMap(({ type, objects }) => [...objects()].flatMap((object) => edgesOf(type, object))),
    );
    const archive = await archiveOf(await GENERATED_COLLECTION.files());
    const { total_files, failed_files, partial_files } = await ingest(archive);
    expect([total_files, failed_files, partial_files]).toEqual([forest.files.length, 0, 0]);
    const { generation } = await publish();
    expect(generation?.collected.total_edges).toBe(edges.size);
    const collected = generation?.environments.filter((environment) => environment.collected) ?? [];
    expect(collected.map(({ name }) => name).sort()).toEqual(GENERATED_COLLECTION.domains);
    const dump = await dumpFacts(database.pool);
    await ingest(archive);
    expect(await dumpFacts(database.pool)).toBe(dump);
    expect((await publish()).published).toBe(false);
  });
});

describe('the public sample', () => {
  it('creates 1495 nodes and 12670 edges before analysis, also if it is uploaded twice', async () => {
    const archive = await archiveOf(await SAMPLE_COLLECTION.files());
    const { total_files, failed_files, partial_files } = await ingest(archive);
    expect({ total_files, failed_files, partial_files }).toEqual({
      total_files: 31,
      failed_files: 0,
      partial_files: 0,
    });
    const { generation } = await publish();
    expect(generation?.collected).toMatchObject({ total_nodes: 1495, total_edges: 12_670 });
    expect(generation?.collected.nodes).toEqual(SAMPLE_NODES);
    // Two more domains are known from trusts only.
    expect(generation?.environments.length).toBe(5);
    expect(generation?.environments.filter(({ collected }) => collected).map(({ name }) => name)).toEqual([
      'PHANTOM.CORP',
      'GHOST.CORP',
      'WRAITH.CORP',
    ]);
    const dump = await dumpFacts(database.pool);
    await ingest(archive);
    expect(await dumpFacts(database.pool)).toBe(dump);
    expect((await publish()).published).toBe(false);
  });
});

/** `docs/reference/collections.md#sample`: every node also carries `Base`. */
const SAMPLE_NODES = {
  ADLocalGroup: 33,
  AIACA: 6,
  Base: 1495,
  CertTemplate: 106,
  Computer: 34,
  Container: 939,
  Domain: 5,
  EnterpriseCA: 4,
  GPO: 32,
  Group: 219,
  NTAuthStore: 2,
  OU: 20,
  RootCA: 5,
  User: 99,
};
