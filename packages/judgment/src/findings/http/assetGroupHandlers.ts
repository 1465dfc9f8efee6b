/** Asset groups, the older form of zones, over HTTP. Rule: `docs/reference/api.md#asset-groups`. */
import { ASSET_GROUP_COLUMNS, ASSET_GROUP_MEMBER_COLUMNS, type AssetGroupMember } from '@clew/api';
import type { Handlers, Principal, RequestContext, RequestInput } from '@clew/common';
import { cutPage, filterRows, parseListQuery, sortRows } from '@clew/common';
import { findNode, NO_NODE } from '@clew/graph';
import { kindNamesOf, labelOf, queryDataOf } from '@clew/queries';
import * as groups from '../zones/legacyGroups.ts';
import { listMembers, type MemberRow } from '../zones/members.ts';
import { ZoneError } from '../zones/zoneError.ts';
import { visibleEnvironments } from './askedScope.ts';
import type { FindingParts } from './findingParts.ts';
import { listCollectionsOf } from './groupCollections.ts';
import { ruleSight } from './ruleSight.ts';

type Operations =
  | 'ListAssetGroups'
  | 'CreateAssetGroup'
  | 'GetAssetGroup'
  | 'UpdateAssetGroup'
  | 'DeleteAssetGroup'
  | 'UpdateAssetGroupSelectors'
  | 'UpdateAssetGroupSelectorsDeprecated'
  | 'DeleteAssetGroupSelector'
  | 'GetAssetGroupCustomMemberCount'
  | 'ListAssetGroupCollections'
  | 'ListAssetGroupMembers'
  | 'ListAssetGroupMemberCountByKind';

export function assetGroupHandlers(parts: FindingParts): Handlers<Operations> {
  const { db } = parts;
  const changeSelectors = async (
    { params, body }: RequestInput<'UpdateAssetGroupSelectors' | 'UpdateAssetGroupSelectorsDeprecated'>,
    context: RequestContext,
  ) => {
    const specs = body.map(({ selector_name, sid, action }) => ({
      ...{ sid, action },
      selectorName: selector_name ?? '',
    }));
    const sight = ruleSight(parts.generations, context.principal);
    const { added, removed } = await groups.changeSelectors(db, context, params.asset_group_id, specs, sight);
    return { status: 201 as const, json: { data: { added_selectors: added, removed_selectors: removed } } };
  };
  return {
    async ListAssetGroups({ rawQuery }, { principal }) {
      const { filters, sorts } = parseListQuery(rawQuery, ASSET_GROUP_COLUMNS);
      const sight = ruleSight(parts.generations, principal);
      const all = await groups.listAssetGroups(db, visibleEnvironments(principal), sight);
      const asset_groups = sortRows(filterRows(all, filters), sorts, (a, b) => a.id - b.id);
      return { status: 200, json: { data: { asset_groups } } };
    },

    async CreateAssetGroup({ body }, context) {
      const { name, tag } = body;
      if (name.trim() === '' || tag?.trim() === '') {
        throw new ZoneError('invalid name', 'asset group name or tag must not be empty');
      }
      if (/\s/.test(tag ?? '')) {
        throw new ZoneError('invalid name', 'asset group tags must not contain whitespace');
      }
      return { status: 200, json: { data: await groups.createAssetGroup(db, context, name, tag) } };
    },

    async GetAssetGroup({ params }, context) {
      return { status: 200, json: { data: await shownGroup(parts, params.asset_group_id, context) } };
    },

    async UpdateAssetGroup({ params, body }, context) {
      await groups.renameAssetGroup(db, context, params.asset_group_id, body.name);
      return { status: 200, json: { data: await shownGroup(parts, params.asset_group_id, context) } };
    },

    async DeleteAssetGroup({ params }, context) {
      const sight = ruleSight(parts.generations, context.principal);
      await groups.deleteAssetGroup(db, context, params.asset_group_id, sight);
      return { status: 200 };
    },

    UpdateAssetGroupSelectors: changeSelectors,
    UpdateAssetGroupSelectorsDeprecated: changeSelectors,

    async DeleteAssetGroupSelector({ params }, context) {
      const sight = ruleSight(parts.generations, context.principal);
      const { asset_group_id, asset_group_selector_id } = params;
      await groups.removeSelector(db, context, asset_group_id, asset_group_selector_id, sight);
      return { status: 200 };
    },

    async GetAssetGroupCustomMemberCount({ params }) {
      const custom_member_count = await groups.countCustomSelectors(db, params.asset_group_id);
      // The public description has a flat field, and the public server wraps it, so both are sent.
      return { status: 200, json: { custom_member_count, data: { custom_member_count } } };
    },

    ListAssetGroupCollections: listCollectionsOf(db),

    async ListAssetGroupMembers(input, { principal }) {
      const { data, ...page } = cutPage(await askedMembers(parts, input, principal), input.query);
      return { status: 200, json: { ...page, data: { members: data } } };
    },

    async ListAssetGroupMemberCountByKind(input, { principal }) {
      const members = await askedMembers(parts, input, principal);
      const byKind = Map.groupBy(members, ({ primary_kind }) => primary_kind);
      const counts = Object.fromEntries([...byKind].map(([kind, { length }]) => [kind, length]));
      return { status: 200, json: { data: { total_count: members.length, counts } } };
    },
  };
}

/** @returns the group limited to what the caller may see @throws ZoneError `unknown` */
function shownGroup({ db, generations }: FindingParts, id: number, { principal }: RequestContext) {
  return groups.findAssetGroup(db, id, visibleEnvironments(principal), ruleSight(generations, principal));
}

/** Filtered and sorted in memory, because some columns exist only in the graph. */
async function askedMembers(
  parts: FindingParts,
  { params, rawQuery }: RequestInput<'ListAssetGroupMembers' | 'ListAssetGroupMemberCountByKind'>,
  principal: Principal,
): Promise<readonly AssetGroupMember[]> {
  const { db } = parts;
  const { filters, sorts } = parseListQuery(rawQuery, ASSET_GROUP_MEMBER_COLUMNS);
  const visible = visibleEnvironments(principal);
  const { id: zone } = await groups.findAssetGroup(db, params.asset_group_id, visible);
  const { rows } = await listMembers(db, { zone, visible }, { filters: [], sorts: [], skip: 0, limit: 0 });
  const custom = await customMembers(parts, zone);
  const members = rows.map((row) => memberOf(parts, row, custom.has(row.node_id)));
  const byName = (a: AssetGroupMember, b: AssetGroupMember) =>
    compare(a.name, b.name) || compare(a.object_id, b.object_id);
  return sortRows(filterRows(members, filters), sorts, byName);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** @returns graph ids of the members selected by custom selectors */
async function customMembers({ db }: FindingParts, zone: number): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('zone_rule_member')
    .innerJoin('asset_group_tag_selector as rule', 'rule.id', 'zone_rule_member.selector_id')
    .select('node_id')
    .distinct()
    .where('rule.asset_group_tag_id', '=', zone)
    .where('rule.is_default', '=', false)
    .execute();
  return new Set(rows.map(({ node_id }) => node_id));
}

function memberOf({ generations }: FindingParts, row: MemberRow, custom_member: boolean): AssetGroupMember {
  const data = queryDataOf(generations.current());
  const node = findNode(data.graph, row.object_id);
  const environment = row.environment_id === null ? NO_NODE : findNode(data.graph, row.environment_id);
  return {
    asset_group_id: row.tag_id,
    object_id: row.object_id,
    primary_kind: row.primary_kind,
    kinds: node === NO_NODE ? [row.primary_kind] : [...kindNamesOf(data, node)],
    environment_id: row.environment_id ?? '',
    environment_kind: environment === NO_NODE ? '' : labelOf(data, environment),
    name: row.name,
    custom_member,
  };
}
