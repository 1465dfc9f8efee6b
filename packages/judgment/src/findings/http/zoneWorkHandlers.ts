/** Operations on zones as a whole: preview of selectors, search, history, certification. */
import { CERTIFICATION_COLUMNS, type Certification, HISTORY_COLUMNS } from '@clew/api';
import {
  type Handler,
  type Handlers,
  parseListQuery,
  principalId,
  type RequestContext,
  type RequestInput,
} from '@clew/common';
import { CypherError } from '@clew/cypher';
import { isVisible, shownName, visibilityOf } from '@clew/explore';
import { NO_NODE, objectIdOf } from '@clew/graph';
import { labelOf, queryDataOf } from '@clew/queries';
import { decideCertification, listCertifications, type MemberRow, searchZones } from '../zones/members.ts';
import { PREVIEW_EXPANSIONS, previewSelector } from '../zones/preview.ts';
import { seenSelectors } from '../zones/seenRules.ts';
import { findSelector } from '../zones/selectors.ts';
import { Certified } from '../zones/storedZones.ts';
import { ZoneError } from '../zones/zoneError.ts';
import { zoneHistory } from '../zones/zoneHistory.ts';
import { findZone } from '../zones/zones.ts';
import { askedEnvironments, visibleEnvironments } from './askedScope.ts';
import type { FindingParts } from './findingParts.ts';
import { ruleSight } from './ruleSight.ts';
import { memberRecord, selectorRecord, zoneRecord } from './zoneAnswers.ts';

/** Maximum number of previewed objects, enough to see the effect of a selector. */
const PREVIEWED = 200;
const ALL = 1;

type Histories = 'GetAssetGroupTagHistory' | 'SearchAssetGroupTagHistory';
type Operations =
  | Histories
  | 'PreviewSelectors'
  | 'AssetGroupTagSearch'
  | 'GetAssetGroupTagsCertifications'
  | 'CertifyOrRevokeObjects';

export function zoneWorkHandlers(parts: FindingParts): Handlers<Operations> {
  const { db, generations } = parts;
  const history = async (
    { query, rawQuery, body }: RequestInput<Histories>,
    { principal }: RequestContext,
  ) => {
    const { skip, limit } = query;
    const search = body?.query;
    const list = parseListQuery(rawQuery, HISTORY_COLUMNS);
    const page = { ...list, skip, limit: Math.max(1, limit) };
    const { count, rows } = await zoneHistory(db, page, { visible: visibleEnvironments(principal), search });
    return { status: 200 as const, json: { count, skip, limit, data: { records: limit === 0 ? [] : rows } } };
  };
  return {
    GetAssetGroupTagHistory: history,
    SearchAssetGroupTagHistory: history,
    PreviewSelectors: preview(parts),

    async AssetGroupTagSearch({ body }, { principal }) {
      const { query, tag_type, asset_group_tag_id } = body;
      const visible = visibleEnvironments(principal);
      const found = await searchZones(db, {
        text: query,
        zoneType: tag_type,
        zone: asset_group_tag_id,
        visible,
      });
      const zones = await Promise.all(found.zones.map(async (id) => zoneRecord(await findZone(db, id))));
      const sight = ruleSight(generations, principal);
      const rules = await Promise.all(
        found.selectors.map(({ zone, id }) => findSelector(db, zone, id, visible)),
      );
      // The search does not match hidden selector names.
      const selectors = seenSelectors(rules, sight)
        .filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()))
        .map((selector) => selectorRecord(selector));
      return {
        status: 200,
        json: { data: { tags: zones, selectors, members: found.members.map(memberRecord) } },
      };
    },

    async GetAssetGroupTagsCertifications({ query, rawQuery }, { principal }) {
      const { skip, limit } = query;
      const list = parseListQuery(rawQuery, CERTIFICATION_COLUMNS, ['environments']);
      const asked = askedEnvironments(rawQuery, 'environments', generations);
      const scope = {
        visible: visibleEnvironments(principal),
        ...(asked.length === 0 ? {} : { environments: asked }),
      };
      const page = { ...list, skip, limit: Math.max(1, limit) };
      const { count, rows } = await listCertifications(db, scope, page);
      const members = limit === 0 ? [] : rows.map(certificationRecord);
      return { status: 200, json: { count, skip, limit, data: { members } } };
    },

    async CertifyOrRevokeObjects({ body }, context) {
      const { member_ids, action, note } = body;
      await decideCertification(db, context, {
        memberIds: [...new Set(member_ids)],
        certified: action === 1 ? Certified.revoked : Certified.manual,
        note,
        visible: visibleEnvironments(context.principal),
      });
      return { status: 200 };
    },
  };
}

/** @throws ZoneError for a query that cannot be run */
function refuseQuery(error: unknown): never {
  if (error instanceof CypherError)
    throw new ZoneError('invalid selector', `the query cannot be used: ${error.message}`);
  throw error;
}

function preview({ db, generations, cypher, rules }: FindingParts): Handler<'PreviewSelectors'> {
  return async ({ body }, { principal, signal }) => {
    const { seeds, expansion = ALL } = body;
    const generation = generations.current();
    const { graph } = generation;
    const data = queryDataOf(generation);
    const visibility = visibilityOf(data, principal);
    const origin = { owner: principalId(principal), signal };
    const selected = await previewSelector(
      db,
      generation,
      seeds,
      PREVIEW_EXPANSIONS[expansion] ?? 'all',
      (queries) => cypher.select(generation, queries, visibility.environments, origin).catch(refuseQuery),
      rules,
    );
    const members = selected
      .filter(({ node }) => isVisible(data, visibility, node))
      .slice(0, PREVIEWED)
      .map(({ node, source }) => {
        const environment = graph.environmentOf[node];
        return {
          id: graph.storeIds[node],
          object_id: objectIdOf(graph, node),
          environment_id: environment === NO_NODE ? '' : objectIdOf(graph, environment),
          primary_kind: labelOf(data, node),
          name: shownName(data, node),
          source,
        };
      });
    return { status: 200, json: { data: { members } } };
  };
}

function certificationRecord(member: MemberRow): Certification {
  return {
    id: member.id,
    object_id: member.object_id,
    environment_id: member.environment_id ?? '',
    primary_kind: member.primary_kind,
    name: member.name,
    asset_group_tag_id: member.tag_id,
    created_at: member.created_at,
    certified_by: member.certified_by,
    certified: member.certified,
  };
}
