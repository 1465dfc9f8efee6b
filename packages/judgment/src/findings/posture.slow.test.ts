/** Figures over time, per run and per day. */

import { builtInTypeById } from '@clew/analysis';
import { FindingHarness } from '@clew/service/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DOMAIN, forest } from '../../test/findings/forest.ts';
import { causesOf } from './changeCauses.ts';
import { askForDailyRun } from './dailyRun.ts';
import {
  currentPosture,
  DEFAULT_ZONES,
  findingTrends,
  POSTURE_HISTORY_TYPES,
  postureHistory,
  postureStats,
  riskCounts,
  type SeriesScope,
} from './posture.ts';

const NO_QUERY = { filters: [], sorts: [] } as const;
const ALL = { ...NO_QUERY, skip: 0, limit: 0 } as const;
const BOTH = ['WriteDacl', 'GenericAll'];

let harness: FindingHarness;

beforeAll(async () => {
  harness = await FindingHarness.start();
});
afterAll(() => harness.close());
beforeEach(() => harness.empty());

const always: SeriesScope = {
  visible: null,
  from: '2000-01-01T00:00:00.000000Z',
  to: '2200-01-01T00:00:00.000000Z',
};

/** Shifts everything published so far back by some days. */
async function daysPass(days: number): Promise<void> {
  const back = (column: string) => `${column} = ${column} - interval '${days} days'`;
  await harness.database.pool.query(`
    update finding_run set ${back('published_at')};
    update risk_count set ${back('created_at')}, ${back('updated_at')};
    update posture_stat set ${back('created_at')}, ${back('updated_at')};
    update environment_stat set ${back('created_at')};
    update finding set ${back('created_at')}, ${back('updated_at')}, ${back('deleted_at')}`);
}

describe('risk of a finding type', () => {
  it('has a record a run, the last of which says that nothing is left', async () => {
    await harness.build(...forest({ bobOverAnn: BOTH }));
    await harness.build(...forest());
    await harness.rebuild();
    const of = async (finding: string, scope = always) =>
      (await riskCounts(harness.database.db, { ...scope, finding }, NO_QUERY)).map((row) => [
        row.composite_risk,
        row.finding_count,
        row.impacted_asset_count,
      ]);
    // One of two principals (Bob and his server) can use it: Bob.
    expect(await of('T0GenericAll')).toEqual([
      [50, 1, 1],
      [0, 0, 0],
    ]);
    expect(await of('T0WriteDACL')).toHaveLength(3);
    expect(await of('T0WriteDACL', { ...always, visible: ['S-OTHER'] })).toEqual([]);
    expect(await of('T0WriteDACL', { ...always, zones: [0] })).toEqual([]);
    expect(await of('T0WriteDACL', { ...always, to: always.from })).toEqual([]);
    const [row] = await riskCounts(harness.database.db, { ...always, finding: 'T0WriteDACL' }, NO_QUERY);
    expect(row).toMatchObject({
      environment_id: DOMAIN,
      tag_id: 1,
      deleted_at: null,
      exposure_count: 1,
    });
    expect(row.created_at).toMatch(/\.\d{6}Z$/);
  });
});

describe('posture', () => {
  it('records how exposed each environment is', async () => {
    await harness.build(...forest({ bobOverAnn: BOTH }));
    const { count, rows } = await postureStats(harness.database.db, { ...always, zones: [1] }, ALL);
    expect(count).toBe(1);
    expect(rows[0]).toMatchObject({
      environment_id: DOMAIN,
      exposure_index: 0.5,
      principal_count: 2,
      critical_risk_count: 0,
      attack_path_count: expect.any(Number),
    });
    const members = await harness.database.db
      .selectFrom('zone_member')
      .select('id')
      .where('tagged', '=', true)
      .execute();
    expect(rows[0].tier_zero_count).toBe(members.length);
    const sorted = { column: 'exposure_index', type: 'number', descending: true } as const;
    const both = await postureStats(harness.database.db, always, { ...ALL, sorts: [sorted], limit: 1 });
    expect([both.count, both.rows.map(({ tag_id }) => tag_id)]).toEqual([2, [1]]);
    const current = (await currentPosture(harness.database.db)).get(DOMAIN);
    expect(current).toMatchObject({ impact_value: 50, exposures: [{ tag_id: 1, exposure_percent: 50 }] });
    // The only finding outside a zone is part of one inside, and is counted there.
    expect(current!.hygiene_attack_paths).toBe(0);
  });

  it('has a history by day, each with its last run', async () => {
    await harness.build(...forest());
    await daysPass(2);
    await harness.build(...forest({ bobOverAnn: BOTH }));
    await harness.build(...forest());
    const { db } = harness.database;
    const history = Object.fromEntries(
      await Promise.all(
        POSTURE_HISTORY_TYPES.map(async (type) => [
          type,
          (await postureHistory(db, type, { ...always, environments: [DOMAIN] })).data.map(
            ({ value }) => value,
          ),
        ]),
      ),
    );
    expect(history.exposure).toEqual([50, 50]);
    expect(history['archived-findings']).toEqual([1]);
    expect(history.findings[0]).toBe(history.findings[1]);
    expect(history['attack-paths']).toHaveLength(2);
    expect(history.assets[0]).toBeGreaterThan(3);
    // No computer of this domain has logged on recently.
    expect(history['session-completeness']).toEqual([0, 0]);
    expect(history['group-completeness']).toEqual([0, 0]);
    const [{ date }] = (await postureHistory(db, 'findings', always)).data;
    expect(date).toMatch(/T00:00:00\.000000Z$/);
    const other = await postureHistory(db, 'findings', { ...always, environments: ['S-OTHER'] });
    expect(other).toEqual({ points: 'day', data: [] });
  });

  it('has a history by analysis, several in a day', async () => {
    await harness.build(...forest());
    await harness.build(...forest({ bobOverAnn: BOTH }));
    await harness.build(...forest());
    const { db } = harness.database;
    const asked = { ...always, environments: [DOMAIN], points: 'analysis' as const };
    const exposure = await postureHistory(db, 'exposure', asked);
    expect(exposure.points).toBe('analysis');
    expect(exposure.data.map(({ value }) => value)).toEqual([50, 50, 50]);
    expect(new Set(exposure.data.map(({ date }) => date)).size).toBe(3);
    const findings = (await postureHistory(db, 'findings', asked)).data.map(({ value }) => value);
    expect([findings.length, findings[1] > findings[0], findings[2]]).toEqual([3, true, findings[0]]);
    // The first one is outside the window.
    const [{ date }] = exposure.data;
    const later = await postureHistory(db, 'exposure', { ...asked, from: exposure.data[1].date });
    expect(later.data.map((one) => one.date)).not.toContain(date);
    expect(later.data).toHaveLength(2);
    // Above 500 analyses, values are per day.
    const run = await db
      .selectFrom('finding_run')
      .selectAll()
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    const { id: _, ...more } = run;
    const many = Array.from({ length: 500 }, () => ({ ...more, report: JSON.stringify(more.report) }));
    await db
      .insertInto('finding_run')
      .values(many as never)
      .execute();
    expect(await postureHistory(db, 'exposure', asked)).toMatchObject({
      points: 'day',
      data: [{ value: 50 }],
    });
  });
});

describe('trends', () => {
  it('show new and resolved findings between two times', async () => {
    await harness.build(...forest());
    await daysPass(10);
    await harness.build(...forest({ bobOverAnn: ['WriteDacl', 'GenericAll', 'GenericWrite'] }));
    await daysPass(5);
    await harness.build(...forest({ bobOverAnn: ['WriteDacl', 'GenericAll'] }));
    const { db } = harness.database;
    const from = new Date(Date.now() - 7 * 86_400_000).toISOString();
    const trends = await findingTrends(db, { ...always, from }, builtInTypeById);
    const of = (finding: string) => trends.find(({ trend }) => trend.finding === finding)?.trend;
    expect(of('T0GenericWrite')).toMatchObject({
      finding_count_start: 0,
      finding_count_increase: 1,
      finding_count_decrease: 1,
      finding_count_end: 0,
      archived_count: 1,
      composite_risk: 0,
    });
    expect(of('T0GenericAll')).toMatchObject({
      finding_count_start: 0,
      finding_count_increase: 1,
      finding_count_end: 1,
      composite_risk: 50,
      exposure_count: 1,
      environment_ids: [DOMAIN],
      display_type: 'Tier Zero Attack Paths',
    });
    expect(of('T0WriteDACL')).toMatchObject({
      finding_count_start: 1,
      finding_count_increase: 0,
      finding_count_end: 1,
    });
    expect(of('Kerberoasting')).toMatchObject({
      exposure_count: 0,
      display_title: 'Kerberoastable User Accounts',
    });
    for (const { trend, whole } of trends) {
      expect(trend.finding_count_end).toBe(
        trend.finding_count_start + trend.finding_count_increase - trend.finding_count_decrease,
      );
      expect(whole.at_end).toBe(whole.at_start + whole.came - whole.went);
      expect(trend.finding_count_end).toBeGreaterThanOrEqual(whole.at_end);
    }
    // Figures over all types equal those of the history and of the list: findings that are not part of another.
    const [{ value }] = (await postureHistory(db, 'findings', always)).data.slice(-1);
    const sum = (end: 'at_start' | 'at_end' | 'went') =>
      trends.reduce((total, { whole }) => total + whole[end], 0);
    expect(sum('at_end')).toBe(value);
    const parts = await db.selectFrom('finding').selectAll().where('part_of', '<>', '').execute();
    expect(parts.length).toBeGreaterThan(0);
    expect(sum('at_end')).toBeLessThan(
      trends.reduce((total, { trend }) => total + trend.finding_count_end, 0),
    );
    const { data: archived } = await postureHistory(db, 'archived-findings', { ...always, from });
    expect(archived.reduce((total, day) => total + day.value, 0)).toBe(sum('went'));
    const changes = await causesOf(db, { ...always, from, zones: DEFAULT_ZONES });
    expect(changes.reduce((total, { went }) => total + went, 0)).toBe(sum('went'));
    const before = new Date(Date.now() - 30 * 86_400_000).toISOString();
    expect(await findingTrends(db, { ...always, from: before, to: before }, builtInTypeById)).toEqual([]);
    expect(await findingTrends(db, { ...always, visible: [] }, builtInTypeById)).toEqual([]);
  });
});

describe('figures of old days', () => {
  it('are kept of the last run only', async () => {
    await harness.build(...forest());
    await harness.rebuild();
    await daysPass(40);
    await harness.rebuild();
    const runs = await harness.database.db.selectFrom('finding_run').select('id').orderBy('id').execute();
    expect(runs.map(({ id }) => id)).toEqual([2, 3]);
    const { rows } = await postureStats(harness.database.db, { ...always, zones: [1] }, ALL);
    expect(rows.map(({ run_id }) => run_id)).toEqual([2, 3]);
  });
});

describe('a day without new facts', () => {
  it('gets a run of its own', async () => {
    expect(await askForDailyRun(harness.database.db)).toBe(false);
    await harness.build(...forest());
    expect(await askForDailyRun(harness.database.db)).toBe(false);
    await daysPass(1);
    expect(await askForDailyRun(harness.database.db)).toBe(true);
    // It is not requested again until it is done.
    expect(await askForDailyRun(harness.database.db)).toBe(false);
    await harness.build();
    expect(await harness.database.db.selectFrom('finding_run').select('id').execute()).toHaveLength(2);
  });
});
