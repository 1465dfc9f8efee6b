/**
 * Zones and labels, their selectors and members over HTTP. Rules: `docs/reference/api.md#zones` and
 * `docs/reference/api.md#asset-groups`.
 */
import { TAG_MEMBER_COLUMNS, TAG_SELECTOR_COLUMNS, ZONE_COLUMNS } from '@clew/api';
import {
  cutPage,
  type Handlers,
  type Principal,
  parseListQuery,
  type RequestContext,
  type RequestInput,
} from '@clew/common';
import { storedProperties } from '@clew/store';
import { deleteSeenZone } from '../zones/deleteSeenZone.ts';
import { countMembers, findMember, listMembers, type MemberScope } from '../zones/members.ts';
import { changeOfSeen, expectWhole, seenSelector, seenSelectors } from '../zones/seenRules.ts';
import {
  chosenSelectors,
  createSelector,
  deleteSelector,
  findSelector,
  listSelectors,
  selectorsOfMember,
  updateSelector,
} from '../zones/selectors.ts';
import { countZones, createZone, findZone, listZones, updateZone } from '../zones/zones.ts';
import { askedEnvironments, visibleEnvironments } from './askedScope.ts';
import type { FindingParts } from './findingParts.ts';
import { ruleSight } from './ruleSight.ts';
import { memberRecord, selectorRecord, zoneRecord } from './zoneAnswers.ts';

type Operations =
  | 'GetAssetGroupTags'
  | 'CreateAssetGroupTag'
  | 'GetAssetGroupTag'
  | 'UpdateAssetGroupTag'
  | 'DeleteAssetGroupTag'
  | SelectorOperations
  | MemberOperations;

export function zoneHandlers({ db, generations }: FindingParts): Handlers<Operations> {
  return {
    async GetAssetGroupTags({ query, rawQuery }, { principal }) {
      const rows = await listZones(db, parseListQuery(rawQuery, ZONE_COLUMNS, ['counts']));
      const counts = query.counts ? await countZones(db, visibleEnvironments(principal)) : undefined;
      const zones = rows.map((row) => ({
        ...zoneRecord(row),
        ...(counts === undefined ? {} : { counts: counts.get(row.id) }),
      }));
      return { status: 200, json: { data: { tags: zones } } };
    },

    async CreateAssetGroupTag({ body }, context) {
      const { name, type, description, require_certify, position, glyph } = body;
      const zone = await createZone(db, context, {
        name,
        type: Number(type),
        description,
        requireCertify: require_certify ?? undefined,
        position: position ?? undefined,
        glyph,
      });
      return { status: 201, json: { data: zoneRecord(zone) } };
    },

    async GetAssetGroupTag({ params }) {
      const zone = await findZone(db, params.asset_group_tag_id);
      return { status: 200, json: { data: { tag: zoneRecord(zone) } } };
    },

    async UpdateAssetGroupTag({ params, body }, context) {
      const { name, description, require_certify, analysis_enabled, position, glyph } = body;
      const zone = await updateZone(db, context, params.asset_group_tag_id, {
        name,
        description,
        requireCertify: require_certify ?? undefined,
        analysisEnabled: analysis_enabled ?? undefined,
        position: position ?? undefined,
        glyph,
      });
      return { status: 200, json: { data: zoneRecord(zone) } };
    },

    async DeleteAssetGroupTag({ params }, context) {
      const sight = ruleSight(generations, context.principal);
      await deleteSeenZone(db, context, params.asset_group_tag_id, sight);
      return { status: 204 };
    },

    ...memberHandlers({ db, generations }),
    ...selectorHandlers({ db, generations }),
  };
}

type SelectorOperations =
  | 'GetAssetGroupTagSelectors'
  | 'CreateAssetGroupTagSelector'
  | 'GetAssetGroupTagSelector'
  | 'UpdateAssetGroupTagSelector'
  | 'DeleteAssetGroupTagSelector';

function selectorHandlers({
  db,
  generations,
}: Pick<FindingParts, 'db' | 'generations'>): Handlers<SelectorOperations> {
  return {
    async GetAssetGroupTagSelectors({ params, query, rawQuery }, { principal }) {
      const zone = await findZone(db, params.asset_group_tag_id);
      const list = parseListQuery(numbersOfCertify(rawQuery), TAG_SELECTOR_COLUMNS, [
        'environments',
        'counts',
      ]);
      const environments = askedEnvironments(rawQuery, 'environments', generations);
      const scope = {
        zone: zone.id,
        visible: visibleEnvironments(principal),
        ...(environments.length === 0 ? {} : { environments }),
      };
      const seen = seenSelectors(await listSelectors(db, scope), ruleSight(generations, principal));
      const { data, ...page } = cutPage(chosenSelectors(seen, list), query);
      const selectors = data.map((selector) => selectorRecord(selector, query.counts));
      return { status: 200, json: { ...page, data: { selectors } } };
    },

    async CreateAssetGroupTagSelector({ params, body }, context) {
      const { name, description, auto_certify, seeds } = body;
      const autoCertify = auto_certify ?? undefined;
      const selector = await createSelector(db, context, params.asset_group_tag_id, {
        name,
        description,
        autoCertify,
        seeds,
      });
      return { status: 201, json: { data: selectorRecord(selector) } };
    },

    async GetAssetGroupTagSelector({ params }, { principal }) {
      const visible = visibleEnvironments(principal);
      const selector = await findSelector(
        db,
        params.asset_group_tag_id,
        params.asset_group_tag_selector_id,
        visible,
      );
      const seen = seenSelector(selector, ruleSight(generations, principal));
      return { status: 200, json: { data: { selector: selectorRecord(seen) } } };
    },

    async UpdateAssetGroupTagSelector({ params, body }, context) {
      const { auto_certify, ...change } = body;
      const autoCertify = auto_certify ?? undefined;
      const wanted = { ...change, autoCertify };
      const sight = ruleSight(generations, context.principal);
      const selector = await updateSelector(
        db,
        context,
        params.asset_group_tag_id,
        params.asset_group_tag_selector_id,
        (stored) => changeOfSeen(stored, sight, wanted),
      );
      return { status: 200, json: { data: selectorRecord(seenSelector(selector, sight)) } };
    },

    async DeleteAssetGroupTagSelector({ params }, context) {
      const sight = ruleSight(generations, context.principal);
      await deleteSelector(
        db,
        context,
        params.asset_group_tag_id,
        params.asset_group_tag_selector_id,
        (stored) => expectWhole(stored, sight),
      );
      return { status: 204 };
    },
  };
}

type MemberLists = 'ListAssetGroupTagMembersById' | 'ListAssetGroupTagMembersBySelector';
type MemberCounts = 'ListAssetGroupTagMemberCountByKind' | 'GetAssetGroupSelectorMemberCountsByKind';
type MemberOperations = MemberLists | MemberCounts | 'GetAssetGroupSelectorsByMemberId';

function memberHandlers({
  db,
  generations,
}: Pick<FindingParts, 'db' | 'generations'>): Handlers<MemberOperations> {
  const list = async (input: RequestInput<MemberLists>, { principal }: RequestContext) => {
    const { skip, limit } = input.query;
    const query = parseListQuery(input.rawQuery, TAG_MEMBER_COLUMNS, ['environments']);
    // A limit of zero returns only the count, as in most lists.
    const { count, rows } = await listMembers(db, await askedScope(input, principal), {
      ...query,
      skip,
      limit: Math.max(1, limit),
    });
    const members = limit === 0 ? [] : rows.map(memberRecord);
    return { status: 200 as const, json: { count, skip, limit, data: { members } } };
  };
  const count = async (input: RequestInput<MemberCounts>, { principal }: RequestContext) => {
    const { total, byKind } = await countMembers(db, await askedScope(input, principal));
    return { status: 200 as const, json: { data: { total_count: total, counts: byKind } } };
  };
  return {
    ListAssetGroupTagMembersById: list,
    ListAssetGroupTagMembersBySelector: list,
    ListAssetGroupTagMemberCountByKind: count,
    GetAssetGroupSelectorMemberCountsByKind: count,

    async GetAssetGroupSelectorsByMemberId({ params }, { principal }) {
      const zone = await findZone(db, params.asset_group_tag_id);
      const visible = visibleEnvironments(principal);
      const member = await findMember(db, zone.id, params.asset_group_member_id, visible);
      const selecting = await selectorsOfMember(db, zone.id, member.node_id, visible);
      const stored = (await storedProperties(db).read([member.node_id])).get(member.node_id);
      const properties = stored?.properties ?? {};
      const seen = seenSelectors(selecting, ruleSight(generations, principal));
      const selectors = seen.map((selector) => selectorRecord(selector));
      return { status: 200, json: { data: { member: { ...memberRecord(member), properties, selectors } } } };
    },
  };

  /** Reads the scope of a zone, or of one of its selectors. */
  async function askedScope(
    { params, rawQuery }: RequestInput<MemberLists | MemberCounts>,
    principal: Principal,
  ): Promise<MemberScope> {
    const zone = await findZone(db, params.asset_group_tag_id);
    const selector =
      'asset_group_tag_selector_id' in params
        ? await findSelector(db, zone.id, params.asset_group_tag_selector_id)
        : undefined;
    const environments = askedEnvironments(rawQuery, 'environments', generations);
    return {
      zone: zone.id,
      visible: visibleEnvironments(principal),
      ...(environments.length === 0 ? {} : { environments }),
      ...(selector === undefined ? {} : { selector: selector.id }),
    };
  }
}

/** `auto_certify` is one of three numbers; older clients send a boolean. */
function numbersOfCertify(rawQuery: URLSearchParams): URLSearchParams {
  const asked = [...rawQuery].map(([name, text]): [string, string] => {
    const [, predicate, word] =
      /^(?:(eq|neq):)?(true|false)$/i.exec(name === 'auto_certify' ? text : '') ?? [];
    if (word === undefined) return [name, text];
    const isOn = (word.toLowerCase() === 'true') === (predicate !== 'neq');
    return [name, isOn ? 'neq:0' : 'eq:0'];
  });
  return new URLSearchParams(asked);
}
