/** The first rows of the list, for real collections through the real ingest. */

import { SEVERITIES } from '@clew/analysis';
import type { UnifiedFindingRow } from '@clew/api';
import { archiveOf, TEST_COLLECTIONS } from '@clew/intake/testing';
import { edgeKindById } from '@clew/model';
import { FindingHarness } from '@clew/service/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANN, BOB, DOMAIN, forest } from '../../test/findings/forest.ts';
import { findingGroups } from './findingGroups.ts';
import {
  eachFinding,
  type FindingRow,
  findingById,
  listFindings,
  UNIFIED_REFERENCES,
} from './findingQueries.ts';
import { unifiedFinding } from './http/findingRecords.ts';
import { notePlannedFindings } from './plannedFindings.ts';
import { rankFindings } from './rankFindings.ts';

const BY_URGENCY = {
  filters: [],
  sorts: [{ column: 'urgency', type: 'integer', descending: false }],
} as const;

async function firstRows(harness: FindingHarness, limit: number): Promise<UnifiedFindingRow[]> {
  const scope = { visible: null };
  const query = { ...BY_URGENCY, skip: 0, limit };
  const { rows } = await listFindings(harness.database.db, scope, query, UNIFIED_REFERENCES);
  return rows.map(unifiedFinding);
}

describe('a plan', () => {
  let harness: FindingHarness;
  beforeAll(async () => {
    harness = await FindingHarness.start();
  });
  afterAll(() => harness.close());

  it('says of each finding that it closes which card does, lists it first, and groups by it', async () => {
    await harness.build(...forest({ bobOverAnn: ['WriteDacl', 'GenericAll'] }));
    const { db } = harness.database;
    const closed = (finding: string) => ({
      ...{ environment_id: DOMAIN, tag_id: 1, finding, source_id: BOB, target_id: ANN },
    });
    await notePlannedFindings(db, {
      cards: [
        { key: 'A', after: 0.33, closed: [closed('T0WriteDACL')] },
        { key: 'B', after: 0, closed: [closed('T0GenericAll'), closed('T0WriteDACL')] },
      ],
      ...{ open: [], shared: [], lowered: [] },
    });
    const [first, second, third] = await firstRows(harness, 3);
    expect([first.finding, first.closed_by, first.repair]).toEqual([
      'T0WriteDACL',
      'closed by card 1 of the plan: afterward, 33.0% are exposed',
      1,
    ]);
    expect([second.finding, second.closed_by]).toEqual([
      'T0GenericAll',
      'closed by card 2 of the plan: afterward, 0% are exposed',
    ]);
    expect(third.closed_by).toBeUndefined();
    expect(first.severity_reason).toBe(
      'high: 1 of 2 users and computers outside the zone can exploit it; the step itself takes several actions',
    );
    const { groups } = await findingGroups(db, { visible: null }, [], { by: 'repair', skip: 0, limit: 2 });
    expect(groups.map(({ lead, count }) => [lead.finding, count])).toEqual([
      ['T0WriteDACL', 1],
      ['T0GenericAll', 1],
    ]);
    // Another plan replaces this one, without other changes of findings.
    const before = await findingById(db, first.id, null);
    await notePlannedFindings(db, {
      cards: [{ key: 'C', after: 0.5, closed: [closed('T0GenericAll')] }],
      open: [{ ...closed('T0WriteDACL'), reason: 'below-goal', users: 1 }],
      shared: [],
      lowered: [],
    });
    const [, open] = await firstRows(harness, 2);
    expect([open.finding, open.closed_by, open.not_closed]).toEqual([
      'T0WriteDACL',
      undefined,
      'not closed by the plan: the plan reaches its goal without this repair; after it, 1 user or computer can still use the finding',
    ]);
    const after = await findingById(db, first.id, null);
    expect(after).toMatchObject({ plan_card: null, plan_after: null, updated_at: before?.updated_at });
    expect((await firstRows(harness, 1))[0].finding).toBe('T0GenericAll');
    // Findings closed by one change form one group, regardless of type and holder.
    await notePlannedFindings(db, {
      ...{ cards: [], open: [], lowered: [] },
      shared: [
        { key: 'a change', title: 'Change it', findings: [closed('T0WriteDACL'), closed('T0GenericAll')] },
      ],
    });
    const by = { by: 'repair', skip: 0, limit: 100 } as const;
    const together = await findingGroups(db, { visible: null }, [], by);
    expect(together.groups.map(({ findings, repair }) => [findings, repair])).toContainEqual([
      ['T0GenericAll', 'T0WriteDACL'],
      'Change it',
    ]);
    // It may name objects that a user with limited environments may not see.
    const seen = await findingGroups(db, { visible: [DOMAIN] }, [], by);
    expect(seen.groups.map(({ findings, repair }) => [findings, repair])).toContainEqual([
      ['T0GenericAll', 'T0WriteDACL'],
      undefined,
    ]);
    await notePlannedFindings(db, {
      ...{ cards: [{ key: 'C', after: 0.5, closed: [closed('T0GenericAll')] }], open: [], shared: [] },
      lowered: [],
    });
    // Unchanged findings keep it when a generation is published.
    await harness.rebuild();
    expect((await firstRows(harness, 1))[0].closed_by).toBe(
      'closed by card 1 of the plan: afterward, 50.0% are exposed',
    );
  });

  it('says of a finding that it leaves open which card lowers its severity, while that holds', async () => {
    const { db } = harness.database;
    const [row] = await firstRows(harness, 1);
    const { id, finding, environment_id, asset_group_tag_id: tag_id } = row;
    const ends = { source_id: row.source_principal_id, target_id: row.target_principal_id };
    const low = SEVERITIES.indexOf('low');
    const lowered = [{ environment_id, tag_id, finding, ...ends, card: 2, to: low }];
    await notePlannedFindings(db, { cards: [], open: [], shared: [], lowered });
    const read = async () => unifiedFinding((await findingById(db, id, null)) as FindingRow);
    expect(await read()).toMatchObject({
      ...{ lowered_by: 'low after card 2 of the plan', lowered_repair: 2, severity_after: 'low' },
    });
    expect((await read()).not_closed).toBeUndefined();
    await notePlannedFindings(db, { cards: [], open: [], shared: [], lowered: [] });
    expect((await read()).lowered_by).toBeUndefined();
  });

  it('lists what more can use before what fewer can, within a severity', async () => {
    const rows = await firstRows(harness, 100);
    const { pool } = harness.database;
    const [one, other] = rows.filter(({ severity }) => severity === rows[0].severity).map(({ id }) => id);
    expect(other).toBeDefined();
    const rank = async (narrow: number | undefined, wide: number | undefined) => {
      await pool.query('update finding set rated_count = 1, rated_of = 363 where id = $1', [narrow]);
      await pool.query('update finding set rated_count = 301, rated_of = 363 where id = $1', [wide]);
      await rankFindings(pool);
      return (await firstRows(harness, 100)).map(({ id }) => id).filter((id) => id === one || id === other);
    };
    expect(await rank(one, other)).toEqual([other, one]);
    expect(await rank(other, one)).toEqual([one, other]);
  });

  it('lists findings of a user with limited environments by what the user sees, not by their positions', async () => {
    const { db, pool } = harness.database;
    const idsOf = async (visible: string[] | null) => {
      const query = { ...BY_URGENCY, skip: 0, limit: 100 };
      return (await listFindings(db, { visible }, query, UNIFIED_REFERENCES)).rows.map(({ id }) => id);
    };
    const groupsOf = async () => {
      const by = { by: 'similar', skip: 0, limit: 100 } as const;
      return (await findingGroups(db, { visible: [DOMAIN] }, [], by)).groups.map(({ lead }) => lead.id);
    };
    const [all, limited, groups] = [await idsOf(null), await idsOf([DOMAIN]), await groupsOf()];
    expect(limited.length).toBeGreaterThan(3);
    // Findings and plans of other environments move positions.
    await pool.query('update finding set place = 1000 - place where place < 1000');
    expect(await idsOf(null)).not.toEqual(all);
    expect(await idsOf([DOMAIN])).toEqual(limited);
    expect(await groupsOf()).toEqual(groups);
    const { rows } = await pool.query(
      `select id from finding where deleted_at is null and id = any ($1::integer[])
       order by severity desc, exposure_percentage desc, impact_percentage desc, id`,
      [limited],
    );
    expect(limited).toEqual(rows.map(({ id }) => id));
    await rankFindings(pool);
  });
});

describe.each(TEST_COLLECTIONS)('the list of $name', ({ files: read }) => {
  let harness: FindingHarness;
  beforeAll(async () => {
    harness = await FindingHarness.start();
    await harness.build(await archiveOf(await read()));
  });
  afterAll(() => harness.close());

  it('begins with ten different repairs at least, and no row repeats the object and the fact of another', async () => {
    const rows = await firstRows(harness, 30);
    const repairs = new Set(
      rows.map((row) =>
        row.source_principal_id === ''
          ? `${row.finding} ${row.environment_id}`
          : `${row.finding} ${row.source_principal_id}`,
      ),
    );
    expect(repairs.size).toBeGreaterThanOrEqual(10);
    const facts = rows.map(
      ({ finding, environment_id, source_principal_id, target_principal_id }) =>
        `${finding} ${environment_id} ${source_principal_id} ${target_principal_id}`,
    );
    expect(new Set(facts).size).toBe(facts.length);
    for (const row of rows) expect(row.part_of).toBeUndefined();
  });

  it('has a reason for every severity that begins with it', async () => {
    let count = 0;
    const source = { db: harness.database.db, pool: harness.database.pool } as never;
    for await (const rows of eachFinding(source, { visible: null }, BY_URGENCY, UNIFIED_REFERENCES)) {
      for (const row of rows.map(unifiedFinding)) {
        count++;
        expect([row.finding, row.severity_reason]).toEqual([
          row.finding,
          expect.stringMatching(new RegExp(`^${row.severity}: \\S`)),
        ]);
      }
    }
    expect(count).toBeGreaterThan(50);
  });

  it('keeps findings that another represents, and each part has its whole', async () => {
    const { rows } = await harness.database.pool.query<{ orphans: string; parts: string }>(`
      select count(*) filter (where not exists (
        select from finding whole
        where whole.deleted_at is null and whole.part_of = '' and whole.finding = part.part_of
          and part.finding = any (whole.parts))) as orphans, count(*) as parts
      from finding part where part.deleted_at is null and part.part_of <> ''`);
    expect(Number(rows[0].parts)).toBeGreaterThan(0);
    expect(Number(rows[0].orphans)).toBe(0);
  });

  it('never ranks direct control of Tier Zero that somebody can use below high', async () => {
    const found = await harness.findings();
    const direct = new Set(['DCSync', 'AddMember', 'GenericAll', 'WriteDacl']);
    const low = found.filter(
      (one) =>
        one.tag_id === 1 &&
        direct.has(edgeKindById(one.edge_kind ?? 0)?.name ?? '') &&
        one.exposure_count > 0 &&
        one.severity < 2,
    );
    expect(low.map(({ finding, source_name, target_name }) => [finding, source_name, target_name])).toEqual(
      [],
    );
  });
});
