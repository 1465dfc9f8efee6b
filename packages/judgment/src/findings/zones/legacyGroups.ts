import { NOT_DELETED, type NullTime } from '@clew/api';
import type { Actor } from '@clew/common';
/**
 * Asset groups, the older form of zones: Tier Zero, the owned objects, and labels. They are views of the same zones, so both APIs agree.
 *
 * Rule: `docs/reference/api.md#asset-groups`.
 */
import { type Db, inTransaction, namedObjectIds, OWNED, TIER_ZERO, ZoneType } from '@clew/store';
import { deleteSeenZone } from './deleteSeenZone.ts';
import { expectWhole, isSeenWhole, type RuleSight, type SeenSelector, seenSelectors } from './seenRules.ts';
import {
  createSelector,
  deleteSelector,
  listSelectors,
  type SelectorRow,
  updateSelector,
} from './selectors.ts';
import { AutoCertify, SeedType } from './storedZones.ts';
import { ZoneError } from './zoneError.ts';
import { countZones, createZone, findZone, listZones, updateZone, type ZoneRow } from './zones.ts';

export interface AssetGroup {
  readonly id: number;
  readonly name: string;
  /** The value in `system_tags` of members. */
  readonly tag: string;
  readonly system_group: boolean;
  readonly selectors: readonly AssetGroupSelector[];
  /** The same list under the name that older clients read. */
  readonly Selectors: readonly AssetGroupSelector[];
  /** Number of selected objects that the user may not see. */
  readonly hidden_selectors?: number;
  readonly member_count: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly deleted_at: NullTime;
}

export interface AssetGroupSelector {
  readonly id: number;
  readonly asset_group_id: number;
  readonly name: string;
  /** Object id, or the query that is equivalent to a built-in selector. */
  readonly selector: string;
  readonly system_selector: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  readonly deleted_at: NullTime;
}

const SYSTEM_TAGS: Readonly<Record<number, string>> = { [TIER_ZERO]: 'admin_tier_0', [OWNED]: 'owned' };

/** @returns groups ordered by number; zones other than Tier Zero did not exist then and are skipped */
export async function listAssetGroups(
  db: Db,
  visible: readonly string[] | null,
  sight?: RuleSight,
): Promise<AssetGroup[]> {
  const zones = await listZones(db, { filters: [], sorts: [] });
  const counts = await countZones(db, visible);
  const groups: AssetGroup[] = [];
  for (const zone of zones.filter(isAssetGroup).sort((a, b) => a.id - b.id)) {
    const selectors = seenSelectors(await listSelectors(db, { zone: zone.id, visible }), sight);
    groups.push(assetGroupOf(zone, selectors, counts.get(zone.id)?.members ?? 0));
  }
  return groups;
}

/** @throws ZoneError `unknown` */
export async function findAssetGroup(
  db: Db,
  id: number,
  visible: readonly string[] | null,
  sight?: RuleSight,
): Promise<AssetGroup> {
  const group = (await listAssetGroups(db, visible, sight)).find((one) => one.id === id);
  if (group === undefined) throw new ZoneError('unknown', `no asset group has the id ${id}`);
  return group;
}

/** Creates a label without selectors. @throws ZoneError */
export async function createAssetGroup(
  db: Db,
  actor: Actor,
  name: string,
  tag: string | undefined,
): Promise<AssetGroup> {
  const { id } = await orNameTaken(createZone(db, actor, { type: ZoneType.label, name }));
  if (tag !== undefined)
    await db.updateTable('asset_group_tag').set({ group_tag: tag }).where('id', '=', id).execute();
  return findAssetGroup(db, id, null);
}

/** @throws ZoneError */
export async function renameAssetGroup(db: Db, actor: Actor, id: number, name: string): Promise<void> {
  await expectAssetGroup(db, id);
  await orNameTaken(updateZone(db, actor, id, { name }));
}

/** Clients of the older operations match this text. Rule: `docs/reference/api.md#errors`. */
async function orNameTaken<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ZoneError && error.fault === 'duplicate name')
      throw new ZoneError('duplicate name', 'asset group name must be unique');
    throw error;
  }
}

/** @throws ZoneError also if it has seeds that the caller may not see */
export async function deleteAssetGroup(db: Db, actor: Actor, id: number, sight?: RuleSight): Promise<void> {
  await expectAssetGroup(db, id);
  await deleteSeenZone(db, actor, id, sight);
}

export interface SelectorSpec {
  readonly selectorName: string;
  /** Object id. */
  readonly sid: string;
  readonly action: 'add' | 'remove';
}

export interface ChangedSelectors {
  readonly added: readonly AssetGroupSelector[];
  readonly removed: readonly AssetGroupSelector[];
}

/**
 * Adds objects to a group and removes them, with one selector per object. Existing members are not added again, and a selector that the
 * caller may not see is treated as missing, so it stays.
 *
 * @throws ZoneError
 */
export async function changeSelectors(
  db: Db,
  actor: Actor,
  group: number,
  specs: readonly SelectorSpec[],
  sight?: RuleSight,
): Promise<ChangedSelectors> {
  await expectAssetGroup(db, group);
  const added: AssetGroupSelector[] = [];
  const removed: AssetGroupSelector[] = [];
  await inTransaction(db, async (transaction) => {
    for (const { selectorName, sid, action } of specs) {
      const known = await selectorFor(transaction, group, sid);
      if (action === 'add' && known === undefined) {
        added.push(...selectorsOf(await addSelector(transaction, actor, group, selectorName, sid)));
      }
      if (action === 'remove' && known !== undefined && isSeenWhole(known, sight)) {
        await deleteSelector(transaction, actor, group, known.id);
        removed.push(...selectorsOf(known));
      }
    }
  });
  return { added, removed };
}

/**
 * Switches a built-in selector off if that is allowed; deletes any other.
 *
 * @throws ZoneError also if it has seeds that the caller may not see
 */
export async function removeSelector(
  db: Db,
  actor: Actor,
  group: number,
  id: number,
  sight?: RuleSight,
): Promise<void> {
  await expectAssetGroup(db, group);
  const selectors = await listSelectors(db, { zone: group, visible: null });
  const selector = selectors.find((one) => one.id === id);
  if (selector === undefined)
    throw new ZoneError('unknown', `no selector has the id ${id} in the asset group ${group}`);
  if (selector.is_default) await updateSelector(db, actor, group, id, { disabled: true });
  else await deleteSelector(db, actor, group, id, (stored) => expectWhole(stored, sight));
}

/** @returns the number of custom selectors */
export async function countCustomSelectors(db: Db, group: number): Promise<number> {
  await expectAssetGroup(db, group);
  const selectors = await listSelectors(db, { zone: group, visible: null });
  return selectors.filter(({ is_default }) => !is_default).length;
}

/** @throws ZoneError `unknown` */
export async function expectAssetGroup(db: Db, id: number): Promise<ZoneRow> {
  const zone = await findZone(db, id);
  if (isAssetGroup(zone)) return zone;
  throw new ZoneError('unknown', `no asset group has the id ${id}`);
}

function isAssetGroup({ id, type }: ZoneRow): boolean {
  return type !== ZoneType.zone || id === TIER_ZERO;
}

async function selectorFor(db: Db, zone: number, sid: string): Promise<SelectorRow | undefined> {
  const selectors = await listSelectors(db, { zone, visible: null });
  const [id] = await namedObjectIds(db, [sid.trim()]);
  return selectors.find(
    ({ is_default, seeds }) => !is_default && seeds.length === 1 && seeds[0].value === id,
  );
}

function addSelector(db: Db, actor: Actor, zone: number, name: string, sid: string): Promise<SelectorRow> {
  const seeds = [{ type: SeedType.objectId, value: sid }];
  return createSelector(db, actor, zone, { name: name || sid, seeds, autoCertify: AutoCertify.all });
}

function assetGroupOf(zone: ZoneRow, selectors: readonly SeenSelector[], members: number): AssetGroup {
  const enabled = selectors.filter(({ disabled_at }) => disabled_at === null);
  const shown = enabled.flatMap(selectorsOf);
  const hidden = enabled.reduce((sum, { hidden_seeds = 0 }) => sum + hidden_seeds, 0);
  return {
    id: zone.id,
    name: zone.id === TIER_ZERO ? 'Admin Tier Zero' : zone.name,
    tag: SYSTEM_TAGS[zone.id] ?? zone.group_tag ?? zone.name.replaceAll(' ', '_').toLowerCase(),
    system_group: zone.id in SYSTEM_TAGS,
    selectors: shown,
    Selectors: shown,
    ...(hidden > 0 && { hidden_selectors: hidden }),
    member_count: members,
    created_at: zone.created_at,
    updated_at: zone.updated_at,
    deleted_at: NOT_DELETED,
  };
}

function selectorsOf(selector: SelectorRow): AssetGroupSelector[] {
  return selector.seeds.map(({ value }) => ({
    id: selector.id,
    asset_group_id: selector.asset_group_tag_id,
    name: selector.name,
    selector: value,
    system_selector: selector.is_default,
    created_at: selector.created_at,
    updated_at: selector.updated_at,
    deleted_at: NOT_DELETED,
  }));
}
