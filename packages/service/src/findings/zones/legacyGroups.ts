/**
 * Asset groups, as tags were called before zones: Tier Zero, the owned objects, and labels. A view of the same tags, so
 * that both families of answers agree.
 *
 * Rule: `docs/reference/api.md#asset-groups`.
 */
import { type Db, inTransaction, OWNED, TagType, TIER_ZERO } from '@clew/store';
import {
  createSelector,
  deleteSelector,
  listSelectors,
  type SelectorRow,
  updateSelector,
} from './selectors.ts';
import { AutoCertify, SeedType } from './storedZones.ts';
import { countTags, createTag, deleteTag, findTag, listTags, type TagRow, updateTag } from './tags.ts';
import { ZoneError } from './zoneError.ts';
import type { Actor } from './zoneHistory.ts';

export interface AssetGroup {
  readonly id: number;
  readonly name: string;
  /** What members carry in `system_tags`. */
  readonly tag: string;
  readonly system_group: boolean;
  readonly selectors: readonly AssetGroupSelector[];
  readonly member_count: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly deleted_at: null;
}

export interface AssetGroupSelector {
  readonly id: number;
  readonly asset_group_id: number;
  readonly name: string;
  /** Object id, or the query that says the same as a built-in rule. */
  readonly selector: string;
  readonly system_selector: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  readonly deleted_at: null;
}

const SYSTEM_TAGS: Readonly<Record<number, string>> = { [TIER_ZERO]: 'admin_tier_0', [OWNED]: 'owned' };

/** @returns groups in the order of their numbers; zones other than Tier Zero were unknown then, and are left out */
export async function listAssetGroups(db: Db, visible: readonly string[] | null): Promise<AssetGroup[]> {
  const tags = await listTags(db, { filters: [], sorts: [] });
  const counts = await countTags(db, visible);
  const groups: AssetGroup[] = [];
  for (const tag of tags.filter(isAssetGroup).sort((a, b) => a.id - b.id)) {
    const selectors = await listSelectors(db, { tag: tag.id, visible }, { filters: [], sorts: [] });
    groups.push(assetGroupOf(tag, selectors, counts.get(tag.id)?.members ?? 0));
  }
  return groups;
}

/** @throws ZoneError `unknown` */
export async function findAssetGroup(
  db: Db,
  id: number,
  visible: readonly string[] | null,
): Promise<AssetGroup> {
  const group = (await listAssetGroups(db, visible)).find((one) => one.id === id);
  if (group === undefined) throw new ZoneError('unknown', `there is no asset group ${id}`);
  return group;
}

/** A group that people make is a label. @throws ZoneError */
export async function createAssetGroup(db: Db, actor: Actor, name: string): Promise<AssetGroup> {
  const { id } = await createTag(db, actor, { type: TagType.label, name });
  return findAssetGroup(db, id, null);
}

/** @throws ZoneError */
export async function renameAssetGroup(db: Db, actor: Actor, id: number, name: string): Promise<AssetGroup> {
  await expectAssetGroup(db, id);
  await updateTag(db, actor, id, { name });
  return findAssetGroup(db, id, null);
}

/** @throws ZoneError */
export async function deleteAssetGroup(db: Db, actor: Actor, id: number): Promise<void> {
  await expectAssetGroup(db, id);
  await deleteTag(db, actor, id);
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

/** Adds objects to a group and takes them out, one rule an object. What is there already is no news. @throws ZoneError */
export async function changeSelectors(
  db: Db,
  actor: Actor,
  group: number,
  specs: readonly SelectorSpec[],
): Promise<ChangedSelectors> {
  await expectAssetGroup(db, group);
  const added: AssetGroupSelector[] = [];
  const removed: AssetGroupSelector[] = [];
  await inTransaction(db, async (transaction) => {
    for (const { selectorName, sid, action } of specs) {
      const known = await ruleFor(transaction, group, sid);
      if (action === 'add' && known === undefined) {
        added.push(...selectorsOf(await addRule(transaction, actor, group, selectorName, sid)));
      }
      if (action === 'remove' && known !== undefined) {
        await deleteSelector(transaction, actor, group, known.id);
        removed.push(...selectorsOf(known));
      }
    }
  });
  return { added, removed };
}

/** Switches a built-in rule off where it allows that; removes any other. @throws ZoneError */
export async function removeSelector(db: Db, actor: Actor, group: number, id: number): Promise<void> {
  await expectAssetGroup(db, group);
  const rules = await listSelectors(db, { tag: group, visible: null }, { filters: [], sorts: [] });
  const rule = rules.find((one) => one.id === id);
  if (rule === undefined)
    throw new ZoneError('unknown', `there is no selector ${id} of the asset group ${group}`);
  if (rule.is_default) await updateSelector(db, actor, group, id, { disabled: true });
  else await deleteSelector(db, actor, group, id);
}

/** @returns number of rules that people made. */
export async function countCustomSelectors(db: Db, group: number): Promise<number> {
  await expectAssetGroup(db, group);
  const rules = await listSelectors(db, { tag: group, visible: null }, { filters: [], sorts: [] });
  return rules.filter(({ is_default }) => !is_default).length;
}

/** @throws ZoneError `unknown` */
export async function expectAssetGroup(db: Db, id: number): Promise<TagRow> {
  const tag = await findTag(db, id);
  if (isAssetGroup(tag)) return tag;
  throw new ZoneError('unknown', `there is no asset group ${id}`);
}

function isAssetGroup({ id, type }: TagRow): boolean {
  return type !== TagType.zone || id === TIER_ZERO;
}

async function ruleFor(db: Db, tag: number, sid: string): Promise<SelectorRow | undefined> {
  const rules = await listSelectors(db, { tag, visible: null }, { filters: [], sorts: [] });
  const id = sid.trim().toUpperCase();
  return rules.find(({ is_default, seeds }) => !is_default && seeds.length === 1 && seeds[0].value === id);
}

function addRule(db: Db, actor: Actor, tag: number, name: string, sid: string): Promise<SelectorRow> {
  const seeds = [{ type: SeedType.objectId, value: sid }];
  return createSelector(db, actor, tag, { name: name || sid, seeds, autoCertify: AutoCertify.all });
}

function assetGroupOf(tag: TagRow, selectors: readonly SelectorRow[], members: number): AssetGroup {
  return {
    id: tag.id,
    name: tag.id === TIER_ZERO ? 'Admin Tier Zero' : tag.name,
    tag: SYSTEM_TAGS[tag.id] ?? tag.name.replaceAll(' ', '_').toLowerCase(),
    system_group: tag.id in SYSTEM_TAGS,
    selectors: selectors.filter(({ disabled_at }) => disabled_at === null).flatMap(selectorsOf),
    member_count: members,
    created_at: tag.created_at,
    updated_at: tag.updated_at,
    deleted_at: null,
  };
}

function selectorsOf(rule: SelectorRow): AssetGroupSelector[] {
  return rule.seeds.map(({ value }) => ({
    id: rule.id,
    asset_group_id: rule.asset_group_tag_id,
    name: rule.name,
    selector: value,
    system_selector: rule.is_default,
    created_at: rule.created_at,
    updated_at: rule.updated_at,
    deleted_at: null,
  }));
}
