/** Zones from selectors to members and findings, on a real database and real generations. */

import { type Generation, isMarked } from '@clew/generation';
import { findNode } from '@clew/graph';
import { emptyStore, ingestAll, upload } from '@clew/intake/testing';
import { queryDataOf, shownKindsOf } from '@clew/queries';
import { buildContext, buildGeneration, loadPublished } from '@clew/service/testing';
import { inTransaction, OWNED, TIER_ZERO, ZoneType } from '@clew/store';
import { silentLog, useTestDatabase } from '@clew/store/testing';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { testActor } from '../../../test/findings/actor.ts';
import { emptyFindings } from '../../../test/findings/emptyFindings.ts';
import { ANN, forest } from '../../../test/findings/forest.ts';
import { listFindings } from '../findingQueries.ts';
import { changeSelectors, findAssetGroup, listAssetGroups } from './legacyGroups.ts';
import {
  countMembers,
  decideCertification,
  findMember,
  listCertifications,
  listMembers,
  searchZones,
} from './members.ts';
import { previewSelector } from './preview.ts';
import {
  createSelector,
  deleteSelector,
  findSelector,
  listSelectors,
  selectorsOfMember,
  updateSelector,
} from './selectors.ts';
import { AutoCertify, Certified, SeedType } from './storedZones.ts';
import { zoneHistory } from './zoneHistory.ts';
import { countZones, createZone, deleteZone, findZone, listZones, updateZone } from './zones.ts';

const ALL = { filters: [], sorts: [], skip: 0, limit: 0 } as const;
const NO_QUERY = { filters: [], sorts: [] } as const;
const seed = (value: string) => ({ type: SeedType.objectId, value });

const store = useTestDatabase();
beforeEach(async () => {
  await emptyStore(store.database);
  await emptyFindings(store.database);
});

const actor = testActor('ann');

async function build(): Promise<Generation> {
  let generation: Generation | undefined;
  await buildGeneration(buildContext(store.database, (made) => (generation = made)));
  return generation!;
}

async function ingested(...changes: Parameters<typeof forest>): Promise<Generation> {
  await upload(store.database, ...forest(...changes));
  await ingestAll(store.database);
  return build();
}

async function membersOf(zone: number): Promise<string[]> {
  const { rows } = await listMembers(store.database.db, { zone, visible: null }, ALL);
  return rows.map(({ object_id }) => object_id.replace(/^S-1-5-21-1-2-3-/, '')).sort();
}

describe('Tier Zero', () => {
  it('has its members after the first generation, each with the way it came in', async () => {
    const generation = await ingested();
    const { rows, count } = await listMembers(store.database.db, { zone: TIER_ZERO, visible: null }, ALL);
    expect(count).toBe(rows.length);
    const bySid = new Map(rows.map((row) => [row.object_id, row]));
    expect(bySid.get('S-1-5-21-1-2-3-512')).toMatchObject({ source: 1, primary_kind: 'Group', tagged: true });
    expect(bySid.get('S-1-5-21-1-2-3-1101')).toMatchObject({
      source: 2,
      primary_kind: 'User',
      name: 'ANN@CORP.LOCAL',
    });
    expect(bySid.get('S-1-5-21-1-2-3-1101')?.environment_id).toBe('S-1-5-21-1-2-3');
    expect(bySid.has('S-1-5-21-1-2-3-1102')).toBe(false);
    const ann = findNode(generation.graph, 'S-1-5-21-1-2-3-1101');
    const bob = findNode(generation.graph, 'S-1-5-21-1-2-3-1102');
    expect([ann, bob].map((node) => isMarked(generation.marks, 'tierZero', node))).toEqual([true, false]);
    // A process that did not build the generation sees the same.
    const loaded = await loadPublished({ database: store.database, log: silentLog }, 0);
    expect(loaded?.marks.tierZero).toEqual(generation.marks.tierZero);
    const selectors = await selectorsOfMember(
      store.database.db,
      TIER_ZERO,
      generation.graph.storeIds[ann],
      null,
    );
    expect(selectors.map(({ name }) => name)).toEqual(['Domain Admins']);
    const counts = await countMembers(store.database.db, { zone: TIER_ZERO, visible: null });
    expect(counts.total).toBe(count);
    expect(counts.byKind.Domain).toBe(1);
    expect((await countZones(store.database.db, null)).get(TIER_ZERO)?.members).toBe(count);
    expect((await countZones(store.database.db, ['S-OTHER'])).get(TIER_ZERO)?.members).toBe(0);
  });

  it('loses members with a rule that is switched off, and gets them back', async () => {
    await ingested();
    const selectors = await listSelectors(store.database.db, { zone: TIER_ZERO, visible: null });
    const krbtgt = selectors.find(({ name }) => name === 'KRBTGT')!;
    expect(krbtgt).toMatchObject({ member_count: 1, is_default: true, allow_disable: true });
    expect(krbtgt.seeds).toEqual([
      { type: 2, value: "MATCH (n:User) WHERE n.objectid ENDS WITH '-502' RETURN n" },
    ]);
    await updateSelector(store.database.db, actor, TIER_ZERO, krbtgt.id, { disabled: true });
    expect((await findSelector(store.database.db, TIER_ZERO, krbtgt.id)).member_count).toBe(0);
    await build();
    expect(await membersOf(TIER_ZERO)).not.toContain('502');
    await updateSelector(store.database.db, actor, TIER_ZERO, krbtgt.id, { disabled: false });
    await build();
    expect(await membersOf(TIER_ZERO)).toContain('502');
  });

  it('keeps its name, its place, and the rules that are fixed', async () => {
    const [fixed] = await listSelectors(store.database.db, { zone: TIER_ZERO, visible: null });
    const { db } = store.database;
    await expect(deleteZone(db, actor, TIER_ZERO)).rejects.toMatchObject({ fault: 'protected' });
    await expect(updateZone(db, actor, TIER_ZERO, { name: 'X' })).rejects.toMatchObject({
      fault: 'protected',
    });
    await expect(updateSelector(db, actor, TIER_ZERO, fixed.id, { disabled: true })).rejects.toMatchObject({
      fault: 'protected',
    });
    await expect(updateSelector(db, actor, TIER_ZERO, fixed.id, { name: 'X' })).rejects.toMatchObject({
      fault: 'protected',
    });
    await expect(deleteSelector(db, actor, TIER_ZERO, fixed.id)).rejects.toMatchObject({
      fault: 'protected',
    });
  });
});

describe('a zone of one’s own', () => {
  it('has members, and findings once its analysis is on', async () => {
    await ingested();
    const zone = await createZone(store.database.db, actor, {
      type: ZoneType.zone,
      name: 'Payments',
      description: 'Money',
    });
    expect(zone).toMatchObject({
      position: 2,
      analysis_enabled: false,
      require_certify: false,
      created_by: 'ann',
    });
    await createSelector(store.database.db, actor, zone.id, {
      name: 'Servers',
      seeds: [seed('s-1-5-21-1-2-3-2001')],
    });
    await build();
    expect(await membersOf(zone.id)).toEqual(['2001']);
    const scope = { visible: null, zones: [zone.id] };
    expect((await listFindings(store.database.db, scope, ALL)).count).toBe(0);
    await updateZone(store.database.db, actor, zone.id, { analysisEnabled: true });
    await build();
    const { rows } = await listFindings(store.database.db, scope, ALL);
    expect(
      rows.map(({ finding, source_name, title, zone_name }) => [finding, source_name, title, zone_name]),
    ).toEqual([['T0GenericAll', 'BOB@CORP.LOCAL', 'GenericAll Privileges on Payments Objects', 'Payments']]);
    await updateZone(store.database.db, actor, zone.id, { analysisEnabled: false });
    await build();
    expect((await listFindings(store.database.db, scope, ALL)).count).toBe(0);
    const [gone] = (await listFindings(store.database.db, { ...scope, state: 'all' }, ALL)).rows;
    expect(gone.status).toBe('orphaned');
  });

  it('takes nothing that a more privileged zone has', async () => {
    await ingested();
    const zone = await createZone(store.database.db, actor, { type: ZoneType.zone, name: 'Two' });
    await createSelector(store.database.db, actor, zone.id, {
      name: 'Both',
      seeds: [seed('S-1-5-21-1-2-3-1101'), seed('S-1-5-21-1-2-3-1102'), seed('S-GONE')],
    });
    await build();
    expect(await membersOf(zone.id)).toEqual(['1102']);
    const selected = {
      zone: zone.id,
      visible: null,
      selector: (await listSelectors(store.database.db, { zone: zone.id, visible: null }))[0].id,
    };
    // Both, and the unit of the one in Tier Zero.
    expect((await listMembers(store.database.db, selected, ALL)).count).toBe(3);
  });

  it('has an order without gaps, whatever is moved or removed', async () => {
    const { db } = store.database;
    const make = (name: string, position?: number) =>
      createZone(db, actor, { type: ZoneType.zone, name, position });
    const [a, b] = [await make('A'), await make('B')];
    const c = await make('C', 2);
    const order = async () =>
      (await listZones(db, NO_QUERY))
        .filter(({ position }) => position !== null)
        .map(({ name, position }) => `${position} ${name}`);
    expect(await order()).toEqual(['1 Tier Zero', '2 C', '3 A', '4 B']);
    await updateZone(db, actor, c.id, { position: 4 });
    expect(await order()).toEqual(['1 Tier Zero', '2 A', '3 B', '4 C']);
    await updateZone(db, actor, b.id, { position: 2 });
    expect(await order()).toEqual(['1 Tier Zero', '2 B', '3 A', '4 C']);
    await deleteZone(db, actor, b.id);
    expect(await order()).toEqual(['1 Tier Zero', '2 A', '3 C']);
    await expect(findZone(db, b.id)).rejects.toMatchObject({ fault: 'unknown' });
    await expect(updateZone(db, actor, a.id, { position: 1 })).rejects.toMatchObject({
      fault: 'invalid position',
    });
    await expect(updateZone(db, actor, a.id, { position: 4 })).rejects.toMatchObject({
      fault: 'invalid position',
    });
    await expect(make('a')).rejects.toMatchObject({ fault: 'duplicate name' });
    await expect(make('a/b')).rejects.toMatchObject({ fault: 'invalid name' });
    // A released name can be used again.
    expect((await make('B')).position).toBe(4);
  });

  it('refuses invalid rules', async () => {
    const zone = await createZone(store.database.db, actor, { type: ZoneType.label, name: 'L' });
    const make = (seeds: { type: number; value: string }[], name = 'R') =>
      createSelector(store.database.db, actor, zone.id, { name, seeds });
    await expect(make([])).rejects.toMatchObject({ fault: 'invalid selector' });
    await expect(make([{ type: SeedType.query, value: 'MATCH (n RETURN n' }])).rejects.toMatchObject({
      fault: 'invalid selector',
    });
    const mixed = [seed('A'), { type: SeedType.query, value: 'MATCH (n) RETURN n' }];
    await expect(make(mixed)).rejects.toMatchObject({ fault: 'invalid selector' });
    await expect(make([seed('a\0b')])).rejects.toMatchObject({ fault: 'invalid selector' });
    await expect(make([seed('A')], ' ')).rejects.toMatchObject({ fault: 'invalid name' });
    await make([seed('a'), seed('A')]);
    await expect(make([seed('A')])).rejects.toMatchObject({ fault: 'duplicate name' });
    const [selector] = await listSelectors(store.database.db, { zone: zone.id, visible: null });
    expect(selector.seeds).toEqual([seed('A')]);
    await deleteSelector(store.database.db, actor, zone.id, selector.id);
    await expect(findSelector(store.database.db, zone.id, selector.id)).rejects.toMatchObject({
      fault: 'unknown',
    });
  });
});

describe('certification', () => {
  it('keeps members out until somebody decides, and makes their ways in findings', async () => {
    await ingested();
    await updateZone(store.database.db, actor, TIER_ZERO, { requireCertify: true });
    await build();
    // Seeds of built-in selectors are certified automatically, their members are not.
    expect(await membersOf(TIER_ZERO)).toContain('512');
    expect(await membersOf(TIER_ZERO)).not.toContain('1101');
    const memberOf = async () =>
      (await listFindings(store.database.db, { visible: null, finding: 'T0MemberOf' }, ALL)).rows.map(
        ({ source_name }) => source_name,
      );
    expect(await memberOf()).toEqual(['ANN@CORP.LOCAL']);
    const waiting = await listCertifications(store.database.db, { visible: null }, ALL);
    const ann = waiting.rows.find(({ name }) => name === 'ANN@CORP.LOCAL')!;
    expect(ann).toMatchObject({ certified: Certified.pending, tagged: false });
    await decideCertification(store.database.db, actor, {
      memberIds: [ann.id],
      certified: Certified.manual,
      note: 'ok',
      visible: null,
    });
    await build();
    expect(await membersOf(TIER_ZERO)).toContain('1101');
    expect(await memberOf()).toEqual([]);
    expect(await findMember(store.database.db, TIER_ZERO, ann.node_id, null)).toMatchObject({
      id: ann.id,
      certified: Certified.manual,
      certified_by: 'ann',
    });
    await decideCertification(store.database.db, actor, {
      memberIds: [ann.id],
      certified: Certified.revoked,
      visible: null,
    });
    await build();
    expect(await membersOf(TIER_ZERO)).not.toContain('1101');
    const hidden = decideCertification(store.database.db, actor, {
      memberIds: [ann.id],
      certified: Certified.manual,
      visible: ['S-OTHER'],
    });
    await expect(hidden).rejects.toMatchObject({ fault: 'unknown' });
  });

  it('keeps a decision that was made after a generation had read the zones', async () => {
    await ingested();
    const { db } = store.database;
    await updateZone(db, actor, TIER_ZERO, { requireCertify: true });
    const annNow = async () =>
      (await listCertifications(db, { visible: null }, ALL)).rows.find(
        ({ name }) => name === 'ANN@CORP.LOCAL',
      )!;
    const { id } = await annNow();
    // The generation certifies Ann, who was pending.
    const selectors = await listSelectors(db, { zone: TIER_ZERO, visible: null });
    const admins = selectors.find(({ name }) => name === 'Domain Admins')!;
    await updateSelector(db, actor, TIER_ZERO, admins.id, { autoCertify: AutoCertify.all });
    let building: Promise<Generation> | undefined;
    await inTransaction(db, async (transaction) => {
      await sql`lock table asset_group_history in share row exclusive mode`.execute(transaction);
      building = build();
      await vi.waitFor(async () => {
        const { rows } = await sql`select from pg_locks where not granted`.execute(db);
        expect(rows).toHaveLength(1);
      }, 10_000);
      await decideCertification(transaction, actor, {
        ...{ memberIds: [id], certified: Certified.revoked, visible: null },
      });
    });
    await building;
    expect(await annNow()).toMatchObject({ certified: Certified.revoked, certified_by: 'ann' });
    const { rows } = await zoneHistory(db, ALL, { visible: null, search: 'ANN@CORP.LOCAL' });
    expect(rows.map(({ action }) => action)).toEqual(['CertifyNodeRevoked']);
  });
});

describe('labels and marks', () => {
  it('show on nodes without being zones', async () => {
    const before = await ingested();
    await createSelector(store.database.db, actor, OWNED, {
      name: 'Bob',
      seeds: [seed('S-1-5-21-1-2-3-1102')],
    });
    const label = await createZone(store.database.db, actor, {
      type: ZoneType.label,
      name: 'Watched people',
    });
    await createSelector(store.database.db, actor, label.id, {
      name: 'Admins',
      seeds: [seed('S-1-5-21-1-2-3-512')],
    });
    const generation = await build();
    expect(generation.id).toBeGreaterThan(before.id);
    const bob = findNode(generation.graph, 'S-1-5-21-1-2-3-1102');
    expect(isMarked(generation.marks, 'owned', bob)).toBe(true);
    expect(
      isMarked((await loadPublished({ database: store.database, log: silentLog }, 0))!.marks, 'owned', bob),
    ).toBe(true);
    expect(await membersOf(label.id)).toEqual(['1101', '512']);
    const ann = findNode(generation.graph, ANN);
    const shown = ['Base', 'User', 'Tag_Tier_Zero', 'Tag_Watched_people'];
    expect(shownKindsOf(queryDataOf(generation), ann)).toEqual(shown);
    expect(
      shownKindsOf(queryDataOf((await loadPublished({ database: store.database, log: silentLog }, 0))!), ann),
    ).toEqual(shown);
    expect(await membersOf(TIER_ZERO)).toContain('512');
  });
});

describe('a preview', () => {
  it('shows the objects that a rule would select, without creating it', async () => {
    const generation = await ingested();
    const ids = async (expansion: 'none' | 'all' | 'children' | 'parents') =>
      (
        await previewSelector(
          store.database.db,
          generation,
          [seed('S-1-5-21-1-2-3-512')],
          expansion,
          async () => [],
          'clean',
        )
      ).map(({ node, source }) => `${source} ${generation.graph.storeIds[node]}`).length;
    const before = await membersOf(TIER_ZERO);
    expect(await ids('none')).toBe(1);
    expect(await ids('children')).toBe(2);
    // Upward expansion adds the unit that contains the member.
    expect(await ids('all')).toBe(3);
    expect(await ids('parents')).toBe(1);
    expect(await membersOf(TIER_ZERO)).toEqual(before);
  });
});

describe('search and history', () => {
  it('find objects by a text, among those that the caller may see', async () => {
    await ingested();
    const found = await searchZones(store.database.db, { text: 'domain adm', visible: null });
    expect(found.selectors.map(({ zone }) => zone)).toEqual([TIER_ZERO]);
    expect(found.members.map(({ name }) => name)).toEqual(['DOMAIN ADMINS@CORP.LOCAL']);
    expect(
      (await searchZones(store.database.db, { text: '1-2-3-1101', visible: null })).members,
    ).toHaveLength(1);
    expect((await searchZones(store.database.db, { text: 'domain adm', visible: [] })).members).toEqual([]);
    expect((await searchZones(store.database.db, { text: '%', visible: null })).members).toEqual([]);
    expect(
      (await searchZones(store.database.db, { text: 'own', visible: null, zoneType: ZoneType.owned })).zones,
    ).toEqual([OWNED]);
  });

  it('show actions with their users, newest first', async () => {
    const zone = await createZone(store.database.db, actor, { type: ZoneType.zone, name: 'H' });
    await updateZone(store.database.db, actor, zone.id, { analysisEnabled: true });
    await deleteZone(store.database.db, actor, zone.id);
    const { count, rows } = await zoneHistory(store.database.db, { ...ALL, limit: 3 }, { visible: null });
    expect([count, rows.map(({ action, target, actor: by }) => `${by} ${action} ${target}`)]).toEqual([
      4,
      ['ann DeleteTag H', 'ann AnalysisEnabledTag H', 'ann UpdateTag H'],
    ]);
    expect((await zoneHistory(store.database.db, ALL, { visible: null, search: 'create' })).count).toBe(1);
    const audited = await store.database.db.selectFrom('audit_log').select('action').orderBy('id').execute();
    expect(audited.map(({ action }) => action).slice(-4)).toEqual([
      'CreateTag',
      'UpdateTag',
      'AnalysisEnabledTag',
      'DeleteTag',
    ]);
  });
});

describe('asset groups', () => {
  it('are a view of the same tags', async () => {
    await ingested();
    const groups = await listAssetGroups(store.database.db, null);
    expect(groups.map(({ id, name, tag, system_group }) => [id, name, tag, system_group])).toEqual([
      [1, 'Admin Tier Zero', 'admin_tier_0', true],
      [2, 'Owned', 'owned', true],
    ]);
    const spec = { selectorName: 'Bob', sid: 's-1-5-21-1-2-3-1102' };
    const { added } = await changeSelectors(store.database.db, actor, TIER_ZERO, [
      { ...spec, action: 'add' },
      { ...spec, action: 'add' },
    ]);
    expect(added.map(({ selector, system_selector }) => [selector, system_selector])).toEqual([
      ['S-1-5-21-1-2-3-1102', false],
    ]);
    await build();
    expect(await membersOf(TIER_ZERO)).toContain('1102');
    const { removed } = await changeSelectors(store.database.db, actor, TIER_ZERO, [
      { ...spec, action: 'remove' },
    ]);
    expect(removed).toHaveLength(1);
    await build();
    expect(await membersOf(TIER_ZERO)).not.toContain('1102');
    await expect(findAssetGroup(store.database.db, 99, null)).rejects.toMatchObject({ fault: 'unknown' });
  });
});
