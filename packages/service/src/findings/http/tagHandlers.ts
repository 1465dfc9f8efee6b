/** Zones and labels, their rules and members over HTTP. Rules: shared reference api-behaviour.md 10.8, 11.3. */
import {
  type CreateSelectorBody,
  type CreateTagBody,
  TAG_COLUMNS,
  TAG_MEMBER_COLUMNS,
  TAG_SELECTOR_COLUMNS,
  type UpdateSelectorBody,
  type UpdateTagBody,
} from '@clew/api';
import { storedProperties } from '@clew/store';
import type { Handler, HandlerTable, RequestInput } from '../../operation/handler.ts';
import { cutPage, parseListQuery } from '../../operation/lists/listQuery.ts';
import type { Principal } from '../../operation/principal.ts';
import { countMembers, findMember, listMembers, type MemberScope } from '../zones/members.ts';
import {
  createSelector,
  deleteSelector,
  findSelector,
  listSelectors,
  selectorsOfMember,
  updateSelector,
} from '../zones/selectors.ts';
import { countTags, createTag, deleteTag, findTag, listTags, updateTag } from '../zones/tags.ts';
import { askedEnvironments, visibleEnvironments } from './askedScope.ts';
import type { FindingParts } from './findingParts.ts';
import { memberRecord, selectorRecord, tagRecord } from './zoneAnswers.ts';

interface Page {
  readonly skip: number;
  readonly limit: number;
}

export function tagHandlers({ db }: FindingParts): HandlerTable {
  return {
    async GetAssetGroupTags({ query, rawQuery }, { principal }) {
      const rows = await listTags(db, parseListQuery(rawQuery, TAG_COLUMNS, ['counts']));
      const counts = query.counts ? await countTags(db, visibleEnvironments(principal)) : undefined;
      const tags = rows.map((row) => ({
        ...tagRecord(row),
        ...(counts === undefined ? {} : { counts: counts.get(row.id) }),
      }));
      return { status: 200, json: { data: { tags } } };
    },

    async CreateAssetGroupTag({ body }, context) {
      const { name, type, description, require_certify, position, glyph } = body as CreateTagBody;
      const tag = await createTag(db, context, {
        name,
        type: Number(type),
        description,
        requireCertify: require_certify ?? undefined,
        position: position ?? undefined,
        glyph,
      });
      return { status: 201, json: { data: tagRecord(tag) } };
    },

    async GetAssetGroupTag({ params }) {
      const tag = await findTag(db, tagOf(params));
      return { status: 200, json: { data: { tag: tagRecord(tag) } } };
    },

    async UpdateAssetGroupTag({ params, body }, context) {
      const { name, description, require_certify, analysis_enabled, position, glyph } = body as UpdateTagBody;
      const tag = await updateTag(db, context, tagOf(params), {
        name,
        description,
        requireCertify: require_certify ?? undefined,
        analysisEnabled: analysis_enabled ?? undefined,
        position: position ?? undefined,
        glyph,
      });
      return { status: 200, json: { data: tagRecord(tag) } };
    },

    async DeleteAssetGroupTag({ params }, context) {
      await deleteTag(db, context, tagOf(params));
      return { status: 204 };
    },

    ...memberHandlers(db),
    ...selectorHandlers(db),
  };
}

const tagOf = (params: RequestInput['params']): number => Number(params.asset_group_tag_id);
const selectorOf = (params: RequestInput['params']): number => Number(params.asset_group_tag_selector_id);

function selectorHandlers(db: FindingParts['db']): HandlerTable {
  return {
    async GetAssetGroupTagSelectors({ params, query, rawQuery }, { principal }) {
      const tag = await findTag(db, tagOf(params));
      const list = parseListQuery(rawQuery, TAG_SELECTOR_COLUMNS, ['environments', 'counts']);
      const environments = askedEnvironments(rawQuery, 'environments');
      const scope = {
        tag: tag.id,
        visible: visibleEnvironments(principal),
        ...(environments.length === 0 ? {} : { environments }),
      };
      const { data, ...page } = cutPage(await listSelectors(db, scope, list), query as unknown as Page);
      const selectors = data.map((rule) => selectorRecord(rule, query.counts === true));
      return { status: 200, json: { ...page, data: { selectors } } };
    },

    async CreateAssetGroupTagSelector({ params, body }, context) {
      const { name, description, auto_certify, seeds } = body as CreateSelectorBody;
      const autoCertify = auto_certify ?? undefined;
      const rule = await createSelector(db, context, tagOf(params), {
        name,
        description,
        autoCertify,
        seeds,
      });
      return { status: 201, json: { data: selectorRecord(rule) } };
    },

    async GetAssetGroupTagSelector({ params }, { principal }) {
      const visible = visibleEnvironments(principal);
      const rule = await findSelector(db, tagOf(params), selectorOf(params), visible);
      return { status: 200, json: { data: { selector: selectorRecord(rule) } } };
    },

    async UpdateAssetGroupTagSelector({ params, body }, context) {
      const { auto_certify, ...change } = body as UpdateSelectorBody;
      const autoCertify = auto_certify ?? undefined;
      const wanted = { ...change, autoCertify };
      const rule = await updateSelector(db, context, tagOf(params), selectorOf(params), wanted);
      return { status: 200, json: { data: selectorRecord(rule) } };
    },

    async DeleteAssetGroupTagSelector({ params }, context) {
      await deleteSelector(db, context, tagOf(params), selectorOf(params));
      return { status: 204 };
    },
  };
}

function memberHandlers(db: FindingParts['db']): HandlerTable {
  const list: Handler = async (input, { principal }) => {
    const { skip, limit } = input.query as unknown as Page;
    const query = parseListQuery(input.rawQuery, TAG_MEMBER_COLUMNS, ['environments']);
    // Here no limit means nothing, as in most lists, so that its answer is only the count.
    const { count, rows } = await listMembers(db, await askedScope(input, principal), {
      ...query,
      skip,
      limit: Math.max(1, limit),
    });
    const members = limit === 0 ? [] : rows.map(memberRecord);
    return { status: 200, json: { count, skip, limit, data: { members } } };
  };
  const count: Handler = async (input, { principal }) => {
    const { total, byKind } = await countMembers(db, await askedScope(input, principal));
    return { status: 200, json: { data: { total_count: total, counts: byKind } } };
  };
  return {
    ListAssetGroupTagMembersById: list,
    ListAssetGroupTagMembersBySelector: list,
    ListAssetGroupTagMemberCountByKind: count,
    GetAssetGroupSelectorMemberCountsByKind: count,

    async GetAssetGroupSelectorsByMemberId({ params }, { principal }) {
      const tag = await findTag(db, tagOf(params));
      const visible = visibleEnvironments(principal);
      const member = await findMember(db, tag.id, Number(params.asset_group_member_id), visible);
      const rules = await selectorsOfMember(db, tag.id, member.node_id);
      const stored = (await storedProperties(db).read([member.node_id])).get(member.node_id);
      const properties = stored?.properties ?? {};
      const selectors = rules.map((rule) => selectorRecord(rule));
      return { status: 200, json: { data: { member: { ...memberRecord(member), properties, selectors } } } };
    },
  };

  /** Of a tag, or of one of its rules. */
  async function askedScope({ params, rawQuery }: RequestInput, principal: Principal): Promise<MemberScope> {
    const tag = await findTag(db, tagOf(params));
    const hasSelector = params.asset_group_tag_selector_id !== undefined;
    const environments = askedEnvironments(rawQuery, 'environments');
    return {
      tag: tag.id,
      visible: visibleEnvironments(principal),
      ...(environments.length === 0 ? {} : { environments }),
      ...(hasSelector ? { selector: (await findSelector(db, tag.id, selectorOf(params))).id } : {}),
    };
  }
}
