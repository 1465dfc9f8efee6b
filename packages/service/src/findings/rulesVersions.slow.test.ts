/** An update must not repair anything: what other rules or readers see in the same data is told apart from what changed. */
import { silentLog } from '@clew/store/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAnalysis } from '../build/analysis.ts';
import { buildGeneration } from '../build/buildGeneration.ts';
import { buildContext } from '../build/testing/builds.ts';
import { drainIngest } from '../ingest/drainIngest.ts';
import { ingestContext, type TestUpload, upload } from '../ingest/testing/uploads.ts';
import { startWorker } from '../worker/worker.ts';
import { acceptFinding } from './acceptance.ts';
import { acceptancesIn, causesOf, rulesChanges } from './changeCauses.ts';
import { changesSince } from './changes.ts';
import { testActor } from './testing/actor.ts';
import { FindingHarness, type StoredFinding } from './testing/findingHarness.ts';
import { forest } from './testing/forest.ts';

const TWO_RIGHTS = { bobOverAnn: ['WriteDacl', 'GenericAll'] };
const BEGIN = { instant: '0001-01-01T00:00:00.000000Z', id: 0 };

let harness: FindingHarness;

beforeAll(async () => {
  harness = await FindingHarness.start();
});
afterAll(() => harness.close());
beforeEach(() => harness.empty());

/** Builds as another release does. @param version of its rules */
async function buildAs(version: string): Promise<void> {
  const context = buildContext(harness.database, () => {});
  await buildGeneration({ ...context, analysis: createAnalysis({ mode: 'clean', version }) });
}

/** Reads files as another release does. */
async function ingestAs(readers: string, ...files: readonly TestUpload[]): Promise<void> {
  await upload(harness.database, ...files);
  await drainIngest({ ...ingestContext(harness.database), readers: Buffer.from(readers) });
}

/** As if the rules of before had found something that those of now do not, and the other way round. */
async function swapFindings(): Promise<void> {
  await harness.database.pool.query(`
    update finding set target_id = source_id where finding = 'T0WriteDACL' and deleted_at is null`);
}

const shown = ({ finding, status, began_by, changed_by, rules_version, deleted_at }: StoredFinding) => ({
  ...{ finding, status, began_by, changed_by, rules_version, isOver: deleted_at !== null },
});

const newestCause = async (): Promise<unknown> =>
  (await harness.database.pool.query('select cause, rules_version from generation order by id desc limit 1'))
    .rows[0];

const window = async () => ({
  from: '0001-01-02T00:00:00.000000Z',
  to: '9999-01-01T00:00:00.000000Z',
  ...{ visible: null, zones: [0, 1] },
});

describe('other rules over the same facts', () => {
  it('end and begin findings, and remediate none', async () => {
    await ingestAs('same', ...forest());
    await buildAs('old');
    expect(await newestCause()).toEqual({ cause: 'data', rules_version: 'old' });
    await swapFindings();
    const before = await harness.findings();
    await buildAs('new');
    expect(await newestCause()).toEqual({ cause: 'rules', rules_version: 'new' });
    const changed = (await harness.ofType('T0WriteDACL')).map(shown);
    expect(changed).toEqual([
      {
        finding: 'T0WriteDACL',
        ...{
          status: 'deprecated',
          began_by: 'data',
          changed_by: 'rules',
          rules_version: 'new',
          isOver: true,
        },
      },
      {
        finding: 'T0WriteDACL',
        ...{ status: 'active', began_by: 'rules', changed_by: 'rules', rules_version: 'new', isOver: false },
      },
    ]);
    // All others are as they were, to the last digit.
    const others = (rows: readonly StoredFinding[]) =>
      rows.filter(({ finding }) => finding !== 'T0WriteDACL');
    expect(others(await harness.findings())).toEqual(others(before));
    const { db } = harness.database;
    const { rows } = await changesSince(db, null, BEGIN, 100);
    expect(rows.filter(({ finding }) => finding === 'T0WriteDACL').map((row) => row.changed_by)).toEqual([
      'rules',
      'rules',
    ]);
    expect((await causesOf(db, await window())).filter(({ cause }) => cause === 'rules')).toEqual([
      { finding: 'T0WriteDACL', cause: 'rules', came: 1, went: 1 },
    ]);
    expect(await rulesChanges(db, await window())).toEqual([
      { at: expect.any(String), rules_version: 'new', with_data: false, came_count: 1, went_count: 1 },
    ]);
  });

  it('are made before a job that waits is ingested, so that its data is told apart', async () => {
    await ingestAs('same', ...forest(TWO_RIGHTS));
    await buildAs('old');
    await swapFindings();
    const jobId = await upload(harness.database, ...forest());
    const worker = startWorker({
      database: harness.database,
      tasks: true,
      analysis: { mode: 'clean', version: 'new' },
      limits: { archive: {} },
      aging: { objectDays: 30, sessionDays: 30, auditDays: 365, jobDays: 90, differenceDays: 90 },
      handOver: async () => {},
      log: silentLog,
    });
    try {
      await vi.waitUntil(
        async () => {
          const { rows } = await harness.database.pool.query('select status from upload_job where id = $1', [
            jobId,
          ]);
          return rows[0]?.status === 2;
        },
        { timeout: 20_000 },
      );
    } finally {
      await worker.stop();
    }
    const { rows } = await harness.database.pool.query('select cause from generation order by id');
    expect(rows.map(({ cause }) => cause)).toEqual(['data', 'rules', expect.stringMatching(/^data/)]);
    // The right was taken away in the data, the other finding ended with the rules.
    const [ended] = await harness.ofType('T0WriteDACL');
    expect(shown(ended)).toMatchObject({ status: 'deprecated', changed_by: 'rules' });
  });
});

describe('other readers', () => {
  it('of the same files end and begin findings, and remediate none', async () => {
    // What the readers of before made of the files is what another collection says.
    await ingestAs('old', ...forest());
    await ingestAs('old', ...forest(TWO_RIGHTS));
    await buildAs('same');
    await harness.database.pool.query('update observation set observed_at = clock_timestamp()');
    await ingestAs('new', ...forest());
    await buildAs('same');
    expect(await newestCause()).toMatchObject({ cause: 'rules' });
    expect((await harness.ofType('T0GenericAll')).map(shown)).toMatchObject([
      { status: 'deprecated', changed_by: 'rules', isOver: true },
    ]);
    // From then on all was read by these readers, and data is data.
    await ingestAs('new', ...forest({ ...TWO_RIGHTS, annName: 'ANNE@CORP.LOCAL' }));
    await buildAs('same');
    expect(await newestCause()).toMatchObject({ cause: 'data' });
    expect((await harness.ofType('T0GenericAll')).map(shown).at(-1)).toMatchObject({ began_by: 'data' });
    await ingestAs('new', ...forest({ annName: 'ANNE@CORP.LOCAL' }));
    await buildAs('same');
    expect((await harness.ofType('T0GenericAll')).map(({ status }) => status)).toEqual([
      'deprecated',
      'remediated',
    ]);
  });

  it('of other files leave open which it was, and claim no repair', async () => {
    await ingestAs('old', ...forest(TWO_RIGHTS));
    await buildAs('same');
    await ingestAs('new', ...forest());
    await buildAs('same');
    expect(await newestCause()).toMatchObject({ cause: 'data_and_rules' });
    expect((await harness.ofType('T0GenericAll')).map(shown)).toMatchObject([
      { status: 'deprecated', changed_by: 'data_and_rules' },
    ]);
  });
});

it('says that acceptance changed a finding, and not the rules or the data', async () => {
  await ingestAs('same', ...forest());
  await buildAs('same');
  const [finding] = await harness.ofType('T0WriteDACL');
  const { db } = harness.database;
  await acceptFinding(db, testActor('ann'), { id: finding.id, accepted: true, visible: null });
  expect((await harness.ofType('T0WriteDACL')).map(shown)).toMatchObject([
    { status: 'accepted', began_by: 'data', changed_by: 'acceptance' },
  ]);
  expect(await acceptancesIn(db, await window())).toEqual({ accepted_count: 1, ended_count: 0 });
});
