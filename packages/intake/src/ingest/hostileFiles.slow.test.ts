/** One bad thing takes nothing good with it: whatever the files of a job hold, each has its task, and good ones are read. */
import { JOB_STATUS } from '@clew/api';
import { sampledCases } from '@clew/common/testing';
import { buildContext, buildGeneration } from '@clew/service/testing';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { emptyStore } from '../../test/ingest/emptyStore.ts';
import { ace, collection, computerRecord, groupRecord, userRecord } from '../../test/ingest/sharpHound.ts';
import { bytesOf, ingestAll, type TestUpload, upload, zipOf } from '../../test/ingest/uploads.ts';
import { type CompletedTask, completedTasks, findUploadJob, type UploadJob } from './uploadJobs.ts';

let database: Database;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyStore(database));

interface Outcome {
  readonly job: UploadJob;
  readonly tasks: readonly CompletedTask[];
}

async function ingest(...files: readonly TestUpload[]): Promise<Outcome> {
  const id = await upload(database, ...files);
  // A job that fails by itself is tried again when the worker comes round.
  for (let round = 0; round < 3; round++) {
    const failed = await ingestAll(database).then(
      () => false,
      () => true,
    );
    if (!failed) break;
  }
  const job = (await findUploadJob(database.db, id)) as UploadJob;
  return { job, tasks: await completedTasks(database.db, id) };
}

/** In an archive nothing is looked at before it is ingested. */
const ingestArchive = async (...files: readonly TestUpload[]) =>
  ingest({ name: 'all.zip', content: await zipOf(...files) });

async function names(): Promise<string[]> {
  const { rows } = await database.pool.query(
    'select name from node where described and name is not null and not derived order by name collate "C"',
  );
  return rows.map(({ name }) => name);
}

const good = (n: number): TestUpload => ({
  name: `good-${n}.json`,
  content: collection('users', userRecord(`S-1-5-21-1-2-3-${5000 + n}`)),
});

const DOMAIN = 'S-1-5-21-1-2-3';
const TENANT = '11111111-2222-3333-4444-555555555555';
const MANAGEMENT_GROUP = '/PROVIDERS/MICROSOFT.MANAGEMENT/MANAGEMENTGROUPS/ROOT';

describe('an edge of another source that names a node merged late', () => {
  const LATE: Readonly<Record<string, string>> = {
    [DOMAIN]: 'Domain',
    [TENANT]: 'AZTenant',
    [MANAGEMENT_GROUP]: 'AZManagementGroup',
    [`${DOMAIN}-513`]: 'Group',
    'CORP.LOCAL-S-1-5-11': 'Group',
    'CORP.LOCAL-S-1-1-0': 'Group',
  };
  const WAYS = {
    id: (id: string) => ({ value: id }),
    'id and kind': (id: string) => ({ value: id, kind: LATE[id] }),
    name: (_: string, name: string) => ({ match_by: 'name', value: name }),
    'name and kind': (id: string, name: string) => ({ match_by: 'name', value: name, kind: LATE[id] }),
    property: (_: string, name: string) => ({
      match_by: 'property',
      property_matchers: [{ key: 'name', operator: 'equals', value: name }],
    }),
    objectid: (id: string) => ({
      match_by: 'property',
      property_matchers: [{ key: 'objectid', operator: 'equals', value: id }],
    }),
  };

  it('is kept with any identification of the node, at either end, with and without a source kind', async () => {
    const { job } = await ingest(
      {
        name: 'domains.json',
        content: collection('domains', {
          ObjectIdentifier: DOMAIN,
          Properties: { name: 'CORP.LOCAL', domain: 'CORP.LOCAL', domainsid: DOMAIN, collected: true },
          Aces: [],
        }),
      },
      {
        name: 'azure.json',
        content: {
          data: [
            { kind: 'AZTenant', data: { tenantId: TENANT, displayName: 'TENANT', collected: true } },
            {
              kind: 'AZManagementGroup',
              data: {
                id: MANAGEMENT_GROUP,
                name: 'ROOT',
                tenantId: TENANT,
                properties: { displayName: 'ROOT', tenantId: TENANT },
              },
            },
          ],
          meta: { type: 'azure', version: 6, count: 2 },
        },
      },
      { name: 'groups.json', content: collection('groups', groupRecord(`${DOMAIN}-513`)) },
    );
    expect(job.failed_files).toBe(0);
    await buildGeneration(buildContext(database, () => {}));
    const { rows } = await database.pool.query(
      'select object_id as id, name from node join object_id using (id) where object_id = any ($1)',
      [Object.keys(LATE)],
    );
    expect(rows.map(({ id }) => id).sort()).toEqual(Object.keys(LATE).sort());

    let count = 0;
    const cases = Object.entries(WAYS).flatMap(([way, end]) =>
      [undefined, 'AppBase'].flatMap((source) =>
        ['from', 'to'].map((direction) => ({ way, end, source, direction })),
      ),
    );
    // A third of them has each way with some source and direction.
    for (const { way, end, source, direction } of sampledCases(cases, 3)) {
      // A separate job: the kinds of a node in another one must not help.
      const files = rows.map(({ id, name }): TestUpload => {
        const app = `APP-${count++}`;
        const ends = [{ value: app }, end(id, name)];
        const [start, stop] = direction === 'to' ? ends : ends.reverse();
        const graph = {
          nodes: [{ id: app, kinds: ['App'] }],
          edges: [{ kind: 'Manages', start, end: stop }],
        };
        const metadata = source && { metadata: { source_kind: source } };
        return {
          name: `${way} ${direction} ${LATE[id]} ${source}.json`,
          content: { ...metadata, graph },
        };
      });
      const { job: one, tasks } = await ingest(...files);
      expect(tasks.filter(({ errors }) => errors.length > 0)).toEqual([]);
      expect(tasks).toHaveLength(files.length);
      expect(one.status).toBe(JOB_STATUS.analyzing);
    }
    const edges = await database.pool.query(
      `select count(*)::integer as count from edge where kind = 'Manages'`,
    );
    expect(edges.rows[0].count).toBe(count);
  });
});

describe('text that the database cannot store', () => {
  // Last in the file, it is read from the end; with a broken object, so that a report exists.
  const broken = (meta: string) =>
    `{"data":[{"ObjectIdentifier":"S-1-5-21-9-9-9-8",""x":1}],"meta":{"methods":0,"type":"rootcas","count":1,"version":6,${meta}}}`;
  const half = '\\ud83d';
  const HOSTILE: readonly TestUpload[] = [
    { name: 'nul-version.json', content: broken('"collectorversion":"\\u0000"') },
    { name: 'half-version.json', content: broken(`"collectorversion":"${half}"`) },
    { name: 'cut-version.json', content: broken(`"collectorversion":"${'x'.repeat(63)}\u{1f600}"`) },
    {
      name: 'cut-id.json',
      content: collection('users', userRecord(`${'S'.repeat(127)}\u{1f600}${'x'.repeat(3000)}`)),
    },
    {
      name: 'source-kind.json',
      content: '{"graph":{"nodes":[{"id":"A","kinds":["K"]}]},"metadata":{"source_kind":"S\\u0000"}}',
    },
    { name: 'half-kind.json', content: `{"graph":{"nodes":[{"id":"A","kinds":["K${half}"]}]}}` },
    { name: 'nul-name\u0000.json', content: collection('users', userRecord('S-1-5-21-1-2-3-7001')) },
    {
      name: 'nul-property.json',
      content: `{"data":[{"ObjectIdentifier":"S-1-5-21-1-2-3-7002","Properties":{"name":"A\\u0000B","x${half}":["\\u0000"]},"Aces":[]}],"meta":{"type":"users","version":6,"count":1}}`,
    },
    {
      name: 'nul-right.json',
      content: `{"data":[{"ObjectIdentifier":"S-1-5-21-1-2-3-7003","Properties":{},"Aces":[{"PrincipalSID":"S-1\\u0000","PrincipalType":"User","RightName":"A\\u0000","IsInherited":false}]}],"meta":{"type":"users","version":6,"count":1}}`,
    },
    {
      name: 'nul-match.json',
      content: `{"graph":{"nodes":[{"id":"M","kinds":["K"]}],"edges":[{"kind":"E","start":{"value":"M"},"end":{"match_by":"name","value":"A\\u0000"}}]}}`,
    },
  ];

  it('fails no job, at any position in a file', async () => {
    const { job, tasks } = await ingestArchive(good(1), ...HOSTILE, good(2));
    expect(job.status).toBe(JOB_STATUS.analyzing);
    expect(tasks).toHaveLength(HOSTILE.length + 2);
    expect(await names()).toEqual(
      expect.arrayContaining(['USER S-1-5-21-1-2-3-5001', 'USER S-1-5-21-1-2-3-5002']),
    );
  });
});

describe('a file that the database rejects', () => {
  /** Until it is called off, a row of this name is refused. */
  async function refusing(name: string, sqlState: string): Promise<() => Promise<void>> {
    await database.pool.query(`
      create or replace function refuse_here() returns trigger language plpgsql as $$ begin
        if new.properties ->> 'name' = '${name}' then raise exception 'no' using errcode = '${sqlState}'; end if;
        return new;
      end $$;
      create or replace trigger refuse_here before insert on node for each row execute function refuse_here()`);
    return async () => void (await database.pool.query('drop trigger refuse_here on node'));
  }
  const bad = (n: number): TestUpload => ({
    name: `bad-${n}.json`,
    content: collection(
      'users',
      userRecord(`S-1-5-21-1-2-3-${6000 + n}`, { Properties: { name: 'poison' } }),
    ),
  });

  it.each(['22P05', '23514', '54000'])(
    'fails with its reason, and the others are read (%s)',
    async (sqlState) => {
      const callOff = await refusing('POISON', sqlState);
      const { job, tasks } = await ingest(good(1), bad(1), good(2), bad(2), good(3)).finally(callOff);
      expect(job).toMatchObject({ status: JOB_STATUS.analyzing, total_files: 5, failed_files: 2 });
      const failed = tasks.filter(({ outcome }) => outcome === 'failed');
      expect(failed.map(({ file_name }) => file_name)).toEqual(['bad-1.json', 'bad-2.json']);
      expect(failed[0].errors).toEqual([
        `the database cannot store a value of the file (SQLSTATE ${sqlState})`,
      ]);
      expect(await names()).toEqual([1, 2, 3].map((n) => `USER S-1-5-21-1-2-3-${5000 + n}`));
    },
  );

  it('fails only for its own kinds if it has more kinds than there are numbers left', async () => {
    // Earlier files have taken most numbers.
    await database.pool.query(
      `insert into node_kind (id, name) select n, 'Many' || n from generate_series((select max(id) + 1 from node_kind), 32000) n`,
    );
    const nodes = Array.from({ length: 1_000 }, (_, n) => ({ id: `N-${n}`, kinds: [`ManyMore${n}`] }));
    const { job, tasks } = await ingestArchive(good(1), { name: 'many.json', content: { graph: { nodes } } });
    expect(job).toMatchObject({ status: JOB_STATUS.analyzing, failed_files: 1 });
    expect(tasks.find(({ outcome }) => outcome === 'failed')?.errors[0]).toMatch(
      /^there are more than \d+ kinds/,
    );
    await database.pool.query(`delete from node_kind where name like 'Many%'`);
  });

  it('has a task that reports that the whole job was given up', async () => {
    await database.pool.query(`
      create or replace function fail_job() returns trigger language plpgsql as $$ begin
        if new.status = ${JOB_STATUS.analyzing} then raise exception 'no' using errcode = 'XX000'; end if;
        return new;
      end $$;
      create or replace trigger fail_job before update on upload_job for each row execute function fail_job()`);
    const { job, tasks } = await ingest(good(1), good(2)).finally(() =>
      database.pool.query('drop trigger fail_job on upload_job'),
    );
    expect(job).toMatchObject({ status: JOB_STATUS.failed, total_files: 2, failed_files: 2 });
    expect(tasks.map(({ outcome, errors }) => [outcome, errors.length])).toEqual([
      ['failed', 1],
      ['failed', 1],
    ]);
  });
});

const GOOD_BYTES: readonly Buffer[] = [
  collection('users', userRecord('S-1-5-21-1-2-3-1', { Aces: [ace('S-1-5-21-1-2-3-2', 'GenericAll')] })),
  collection(
    'groups',
    groupRecord('S-1-5-21-1-2-3-3', { Members: [{ ObjectIdentifier: 'DN=CN=X', ObjectType: 'User' }] }),
  ),
  collection('computers', computerRecord('S-1-5-21-1-2-3-4', { Sessions: { Collected: true, Results: [] } })),
  collection('domains', {
    ObjectIdentifier: DOMAIN,
    Properties: { name: 'd', collected: true },
    Aces: [],
    Trusts: [],
  }),
  {
    graph: {
      nodes: [{ id: 'n', kinds: ['K'], properties: { a: ['b'], c: 1 } }],
      edges: [{ kind: 'E', start: { value: 'n' }, end: { value: DOMAIN } }],
    },
  },
  {
    metadata: { source_kind: 'S' },
    graph: { edges: [{ kind: 'E', start: { match_by: 'name', value: 'n' }, end: { value: 'm' } }] },
  },
  {
    data: [{ kind: 'AZUser', data: { id: TENANT, displayName: 'u', tenantId: TENANT } }],
    meta: { type: 'azure', version: 5, count: 1 },
  },
].map(bytesOf);

const SPLICES = [
  '\\u0000',
  '\\ud800',
  '\0',
  '"',
  '{',
  '}',
  ']',
  ',',
  ':',
  'null',
  '1e999',
  '-',
  '[[[[',
  '\xff',
  '\\',
  '9'.repeat(400),
];

/** A good file, cut or with something put over a place of it. */
const mutated = fc
  .tuple(
    fc.constantFrom(...GOOD_BYTES),
    fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(...SPLICES), fc.nat(8)), {
      maxLength: 3,
    }),
    fc.double({ min: 0.2, max: 3, noNaN: true }),
  )
  .map(([bytes, changes, end]) => {
    let file = bytes;
    for (const [place, splice, over] of changes) {
      const at = Math.floor(place * file.length);
      file = Buffer.concat([file.subarray(0, at), Buffer.from(splice, 'latin1'), file.subarray(at + over)]);
    }
    return file.subarray(0, Math.max(1, Math.floor(Math.min(1, end) * file.length)));
  });

it('has as many tasks as files for any kind of files', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(mutated, { minLength: 1, maxLength: 12 }), async (contents) => {
      await emptyStore(database);
      const files = contents.map((content, n) => ({ name: `mutated-${n}.json`, content }));
      const { job, tasks } = await ingestArchive(good(1), ...files, good(2));
      expect(job.status).toBe(JOB_STATUS.analyzing);
      expect(job.total_files).toBe(files.length + 2);
      expect(tasks).toHaveLength(files.length + 2);
      expect(await names()).toEqual(
        expect.arrayContaining(['USER S-1-5-21-1-2-3-5001', 'USER S-1-5-21-1-2-3-5002']),
      );
    }),
    { numRuns: 15 * Number(process.env.CLEW_TEST_RUNS ?? 1) },
  );
});

it('reads 180 of 200 files of which 20 are hostile, reports 20, and loses none', async () => {
  const hostile = (n: number): TestUpload => {
    const kinds: readonly TestUpload['content'][] = [
      '{"data":[',
      Buffer.from(
        '{"data":[{"ObjectIdentifier":"S-1","Properties":{"name":"M\xfcller"}}],"meta":{"type":"users","version":6,"count":1}}',
        'latin1',
      ),
      `{"data":[{"ObjectIdentifier":"S-1-5-21-9-9-9-8",""x":1}],"meta":{"methods":0,"type":"rootcas","count":1,"version":6,"collectorversion":"\\u0000"}}`,
      { graph: { edges: [{ kind: 'Tag_x', start: { value: 'a' }, end: { value: 'b' } }] } },
      { data: [], meta: { type: 'nothing', version: 6 } },
      `{"data":[${'['.repeat(50_000)}`,
      '\0\0\0\0',
      {
        graph: { edges: [{ kind: '', start: { match_by: 'name', value: 'nobody' }, end: { value: 'b' } }] },
      },
      { graph: { nodes: [], edges: [] }, data: [] },
      '{"data":[null,1,"x"],"meta":{"type":"computers","version":6,"count":3}}',
    ];
    return { name: `hostile-${n}.json`, content: kinds[n % kinds.length] };
  };
  const files = Array.from({ length: 200 }, (_, n) => (n % 10 === 3 ? hostile(Math.floor(n / 10)) : good(n)));
  const { job, tasks } = await ingestArchive(...files);
  expect(job).toMatchObject({ status: JOB_STATUS.analyzing, total_files: 200 });
  expect(tasks).toHaveLength(200);
  const reported = tasks.filter(({ outcome }) => outcome !== 'ok');
  expect(reported.map(({ file_name }) => file_name).sort()).toEqual(
    Array.from({ length: 20 }, (_, n) => `hostile-${n}.json`).sort(),
  );
  expect(reported.every(({ errors }) => errors.length > 0)).toBe(true);
  expect((await names()).filter((name) => name.startsWith('USER S-1-5-21-1-2-3-5'))).toHaveLength(180);
});
