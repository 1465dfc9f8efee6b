/** Helpers shared by the handlers of zones: errors of the catalog and records for answers. */
import type { AssetGroupTag, TagMember, TagSelector } from '@clew/api';
import { type AnyHandler, apiError, type HandlerTable } from '@clew/common';
import type { MemberRow } from '../zones/members.ts';
import type { SeenSelector } from '../zones/seenRules.ts';
import { ZoneError } from '../zones/zoneError.ts';
import type { ZoneRow } from '../zones/zones.ts';

/** Wraps handlers so that zone errors are answered with 400, 404 or 409. */
export function answeringZoneFaults<Table extends HandlerTable>(handlers: Table): Table {
  const wrapped = Object.entries<AnyHandler>(handlers).map(([id, handler]): [string, AnyHandler] => [
    id,
    async (input, context) => {
      try {
        return await handler(input, context);
      } catch (error) {
        throw error instanceof ZoneError ? answerOf(error) : error;
      }
    },
  ]);
  return Object.fromEntries(wrapped) as Table;
}

function answerOf({ fault, message }: ZoneError) {
  switch (fault) {
    case 'unknown':
      return apiError('resourceNotFound');
    case 'duplicate name':
    case 'protected':
      return apiError('zoneConflict', { reason: message });
    case 'invalid name':
    case 'invalid position':
    case 'invalid selector':
    case 'too many':
      return apiError('invalidZone', { reason: message });
  }
}

export function zoneRecord(zone: ZoneRow): AssetGroupTag {
  const { id, type, kind_id, name, description, created_at, created_by, updated_at, updated_by } = zone;
  const { position, require_certify, analysis_enabled, glyph } = zone;
  const made = { created_at, created_by, updated_at, updated_by };
  return {
    id,
    type,
    kind_id,
    name,
    description,
    ...made,
    position,
    require_certify,
    analysis_enabled,
    glyph,
  };
}

export function selectorRecord(selector: SeenSelector, hasCounts = false): TagSelector {
  return {
    id: selector.id,
    asset_group_tag_id: selector.asset_group_tag_id,
    created_at: selector.created_at,
    created_by: selector.created_by,
    updated_at: selector.updated_at,
    updated_by: selector.updated_by,
    disabled_at: selector.disabled_at,
    disabled_by: selector.disabled_by,
    name: selector.name,
    description: selector.description,
    auto_certify: selector.auto_certify,
    is_default: selector.is_default,
    allow_disable: selector.allow_disable,
    ...(selector.extension_id !== null && { extension_id: selector.extension_id }),
    seeds: [...selector.seeds],
    ...(selector.hidden_seeds !== undefined && { hidden_seeds: selector.hidden_seeds }),
    ...(selector.query_error !== null && { query_error: selector.query_error }),
    ...(selector.query_warnings !== null && { query_warnings: selector.query_warnings }),
    ...(selector.query_ms !== null && { query_milliseconds: selector.query_ms }),
    ...(selector.query_started_at !== null && { query_started_at: selector.query_started_at }),
    ...(hasCounts ? { counts: { members: selector.member_count } } : {}),
  };
}

export function memberRecord(member: MemberRow): TagMember {
  return {
    id: member.node_id,
    asset_group_tag_id: member.tag_id,
    object_id: member.object_id,
    environment_id: member.environment_id ?? '',
    primary_kind: member.primary_kind,
    name: member.name,
    source: member.source,
  };
}
