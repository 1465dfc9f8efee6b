/**
 * An update must not look like a repair: results that differ because of other rules, readers or zones on the same data are distinguished
 * from changes of the data.
 */

import { drainIngest } from '@clew/intake';
import { ingestContext, type TestUpload, upload } from '@clew/intake/testing';
import {
  buildContext,
  buildGeneration,
  createAnalysis,
  FindingHarness,
  type StoredFinding,
  startWorker,
} from '@clew/service/testing';
import { type Db, TIER_ZERO, ZoneType } from '@clew/store';
import { silentLog } from '@clew/store/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { testActor } from '../../test/findings/actor.ts';
import { BOB, forest, SERVER } from '../../test/findings/forest.ts';
import { acceptFinding } from './acceptance.ts';
import { acceptancesIn, analysisChanges, causesOf } from './changeCauses.ts';
import { changesSince } from './changes.ts';
import { changeSelectors } from './zones/legacyGroups.ts';
import { decideCertification, listCertifications } from './zones/members.ts';
import { createSelector, deleteSelector, listSelectors, updateSelector } from './zones/selectors.ts';
import { Certified, SeedType } from './zones/storedZones.ts';
import { createZone, deleteZone, updateZone } from './zones/zones.ts';

const TWO_RIGHTS = { bobOverAnn: ['WriteDacl', 'GenericAll'] };
const BEGIN = { instant: '0001-01-01T00:00:00.000000Z', id: 0 };

let harness: FindingHarness;

beforeAll(async () => {
  harness = await FindingHarness.start();
});
afterAll(() => harness.close());
beforeEach(() => harness.empty());

/** Builds like another release. @param version version of its rules */
async function buildAs(version: string): Promise<void> {
  const context = buildContext(harness.database, () => {});
  await buildGeneration({ ...context, analysis: createAnalysis({ mode: 'clean', version }) });
}

/** Reads files like another release. */
async function ingestAs(readers: string, ...files: readonly TestUpload[]): Promise<void> {
  await upload(harness.database, ...files);
  await drainIngest({ ...ingestContext(harness.database), readers: Buffer.from(readers) });
}

/** @param version version of the rules of the worker, if not that of the code */
async function runWorkerUntilComplete(jobId: number, version?: string): Promise<void> {
  const worker = startWorker({
    database: harness.database,
    tasks: true,
    analysis: { mode: 'clean', ...(version !== undefined && { version }) },
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
      { timeout: 100_000 },
    );
  } finally {
    await worker.stop();
  }
}

/** Simulates that the earlier rules found something that the current ones do not find, and vice versa. */
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
    // All others are unchanged, to the last digit.
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
    expect(await analysisChanges(db, await window())).toEqual([
      {
        at: expect.any(String),
        cause: 'rules',
        rules_version: 'new',
        came_count: 1,
        went_count: 1,
        changed_answers: [],
      },
    ]);
  });

  it('are made before a job that waits is ingested, so that its data is distinguished', async () => {
    await ingestAs('same', ...forest(TWO_RIGHTS));
    await buildAs('old');
    await swapFindings();
    const jobId = await upload(harness.database, ...forest());
    await runWorkerUntilComplete(jobId, 'new');
    const { rows } = await harness.database.pool.query('select cause from generation order by id');
    expect(rows.map(({ cause }) => cause)).toEqual(['data', 'rules', 'several']);
    // The right was removed from the data; the other finding ended because of the rules.
    const [ended] = await harness.ofType('T0WriteDACL');
    expect(shown(ended)).toMatchObject({ status: 'deprecated', changed_by: 'rules' });
  });
});

describe('an update from a release without reasons, parts and places', () => {
  it('rates and merges existing findings, and remediates none', async () => {
    await ingestAs('same', ...forest(TWO_RIGHTS));
    await buildAs('old');
    const { pool } = harness.database;
    await pool.query(`
      update finding set rated_row = '', rated_count = 0, rated_of = 0, part_of = '', parts = '{}', severity = 0,
        place = 2147483647, plan_card = null, plan_open = null, plan_repair = null`);
    const identities = (rows: readonly StoredFinding[]) =>
      rows.map(({ id, status, created_at, deleted_at, finding, source_id, target_id }) => ({
        ...{ id, status, created_at, deleted_at, finding, source_id, target_id },
      }));
    const before = await harness.findings();
    await buildAs('new');
    const after = await harness.findings();
    expect(identities(after)).toEqual(identities(before));
    expect(after.filter(({ rated_row }) => rated_row === '')).toEqual([]);
    expect(after.filter(({ part_of }) => part_of !== '').length).toBeGreaterThan(0);
    expect(after.filter(({ place }) => place !== 2_147_483_647).length).toBeGreaterThan(3);
  });
});

describe('other readers', () => {
  it('of the same files end and begin findings, and remediate none', async () => {
    // The earlier readers read the files like another collection.
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
    // All later data is read by these readers, so changes are changes of data.
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
    expect(await newestCause()).toMatchObject({ cause: 'several' });
    expect((await harness.ofType('T0GenericAll')).map(shown)).toMatchObject([
      { status: 'deprecated', changed_by: 'several' },
    ]);
  });
});

const ann = testActor('ann');
const seeds = (...ids: readonly string[]) => ids.map((value) => ({ type: SeedType.objectId, value }));
const NO_QUERY = { filters: [], sorts: [] } as const;
const ALL_ROWS = { ...NO_QUERY, skip: 0, limit: 0 } as const;

/** Every zone edit that removes objects from the zone: before the edit they are in it. */
const ZONE_EDITS: readonly (readonly [
  name: string,
  before: (db: Db) => Promise<unknown>,
  edit: (db: Db) => Promise<unknown>,
])[] = [
  [
    'a selector is deleted',
    addServer,
    async (db) => deleteSelector(db, ann, TIER_ZERO, await ownSelector(db)),
  ],
  [
    'a selector is disabled',
    addServer,
    async (db) => updateSelector(db, ann, TIER_ZERO, await ownSelector(db), { disabled: true }),
  ],
  [
    'a selector gets other seeds',
    addServer,
    async (db) => updateSelector(db, ann, TIER_ZERO, await ownSelector(db), { seeds: seeds(BOB) }),
  ],
  [
    'a selector of a legacy group is removed',
    (db) => changeSelectors(db, ann, TIER_ZERO, [{ selectorName: 'server', sid: SERVER, action: 'add' }]),
    (db) => changeSelectors(db, ann, TIER_ZERO, [{ selectorName: 'server', sid: SERVER, action: 'remove' }]),
  ],
  [
    'a certification is revoked',
    async (db) => {
      await createSelector(db, ann, TIER_ZERO, { name: 'server', seeds: seeds(SERVER), autoCertify: 1 });
      await updateZone(db, ann, TIER_ZERO, { requireCertify: true });
    },
    async (db) => {
      const { rows } = await listCertifications(db, { visible: null }, ALL_ROWS);
      const memberIds = rows.filter(({ object_id }) => object_id === SERVER).map(({ id }) => id);
      await decideCertification(db, ann, { memberIds, certified: Certified.revoked, visible: null });
    },
  ],
  ['certification is required', addServer, (db) => updateZone(db, ann, TIER_ZERO, { requireCertify: true })],
  [
    'a source joins the zone',
    addServer,
    (db) => createSelector(db, ann, TIER_ZERO, { name: 'bob', seeds: seeds(BOB) }),
  ],
];

function addServer(db: Db): Promise<unknown> {
  return createSelector(db, ann, TIER_ZERO, { name: 'server', seeds: seeds(SERVER) });
}

async function ownSelector(db: Db): Promise<number> {
  const selectors = await listSelectors(db, { zone: TIER_ZERO, visible: null });
  return selectors.find(({ is_default }) => !is_default)?.id ?? 0;
}

const countBy = (rows: readonly StoredFinding[], status: string): number =>
  rows.filter((row) => row.status === status).length;

describe('an edit of a zone', () => {
  it.each(ZONE_EDITS)('ends findings, and remediates none: %s', async (_, before, edit) => {
    const { db } = harness.database;
    await ingestAs('same', ...forest());
    await buildAs('same');
    const withoutServer = (await harness.findings()).length;
    await before(db);
    await buildAs('same');
    expect(await newestCause()).toMatchObject({ cause: 'zones' });
    const withServer = await harness.findings();
    expect(withServer.length).toBeGreaterThan(withoutServer);
    expect(new Set(withServer.slice(withoutServer).map(({ began_by }) => began_by))).toEqual(
      new Set(['zones']),
    );
    await edit(db);
    await buildAs('same');
    expect(await newestCause()).toMatchObject({ cause: 'zones' });
    const after = await harness.findings();
    expect([countBy(after, 'remediated'), countBy(after, 'deprecated')]).toEqual([0, 0]);
    const ended = after.filter(({ deleted_at }) => deleted_at !== null);
    expect(ended.length).toBeGreaterThan(0);
    expect(new Set(ended.map(({ status, changed_by }) => `${status} by ${changed_by}`))).toEqual(
      new Set(['orphaned by zones']),
    );
    const told = await changesSince(db, null, BEGIN, 1000);
    const toldEnded = told.rows.filter(({ status }) => status === 'orphaned');
    expect(toldEnded.map(({ changed_by }) => changed_by)).toEqual(ended.map(() => 'zones'));
    const went = (await causesOf(db, await window())).filter(({ cause }) => cause === 'zones');
    expect(went.reduce((sum, each) => sum + each.went, 0)).toBe(ended.length);
    const changes = await analysisChanges(db, await window());
    expect(changes.map(({ cause }) => cause)).toEqual(['zones', 'zones']);
    expect(changes.reduce((sum, { went_count }) => sum + went_count, 0)).toBe(ended.length);
  });

  it('of analysis or existence of a zone remediates none', async () => {
    const { db } = harness.database;
    await ingestAs('same', ...forest());
    const zone = await createZone(db, ann, { type: ZoneType.zone, name: 'Servers' });
    await createSelector(db, ann, zone.id, { name: 'server', seeds: seeds(SERVER) });
    await updateZone(db, ann, zone.id, { analysisEnabled: true });
    await buildAs('same');
    const ofZone = async () => (await harness.findings()).filter(({ tag_id }) => tag_id === zone.id);
    expect((await ofZone()).length).toBeGreaterThan(0);
    await updateZone(db, ann, zone.id, { analysisEnabled: false });
    await buildAs('same');
    await updateZone(db, ann, zone.id, { analysisEnabled: true });
    await buildAs('same');
    await deleteZone(db, ann, zone.id);
    await buildAs('same');
    expect(new Set((await ofZone()).map(({ status }) => status))).toEqual(new Set(['orphaned']));
    expect(countBy(await harness.findings(), 'remediated')).toBe(0);
  });

  it('together with changed data leaves the cause open, and data alone remediates', async () => {
    const { db } = harness.database;
    await ingestAs('same', ...forest(TWO_RIGHTS));
    await buildAs('same');
    await addServer(db);
    await ingestAs('same', ...forest());
    await buildAs('same');
    expect(await newestCause()).toMatchObject({ cause: 'several' });
    expect((await harness.ofType('T0GenericAll')).map(shown)).toContainEqual(
      expect.objectContaining({ status: 'deprecated', changed_by: 'several' }),
    );
    await ingestAs('same', ...forest({ bobOverAnn: [] }));
    await buildAs('same');
    expect((await harness.ofType('T0WriteDACL')).map(shown)).toMatchObject([
      { status: 'remediated', changed_by: 'data' },
    ]);
  });

  it('is analyzed before a job that waits is ingested, so that its data is distinguished', async () => {
    const { db, pool } = harness.database;
    await harness.build(...forest(TWO_RIGHTS));
    const jobId = await upload(harness.database, ...forest());
    await addServer(db);
    await runWorkerUntilComplete(jobId);
    const { rows } = await pool.query('select cause from generation order by id');
    expect(rows.map(({ cause }) => cause)).toEqual(['data', 'zones', 'data']);
    expect((await harness.ofType('T0GenericAll')).map(shown)).toContainEqual(
      expect.objectContaining({ status: 'remediated', changed_by: 'data' }),
    );
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
