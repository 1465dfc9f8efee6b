/** Posture over time. Rule: `docs/findings.md#records-over-time`. */
import { nullTime, POSTURE_STAT_COLUMNS, type PostureStat } from '@clew/api';
import { apiError, type Handlers, parseListQuery } from '@clew/common';
import { TIER_ZERO } from '@clew/store';
import { storedUnread, unreadAt } from '../../quality/qualityQueries.ts';
import {
  POSTURE_HISTORY_TYPES,
  type PostureHistoryType,
  type PostureStatRow,
  postureHistory,
  postureStats,
} from '../posture.ts';
import { postureSummary } from '../postureSummary.ts';
import {
  askedEnvironments,
  askedWindow,
  askedZone,
  filteredZone,
  tagsOf,
  visibleEnvironments,
  zoneOf,
} from './askedScope.ts';
import type { FindingParts } from './findingParts.ts';

/** The range of all times. */
const ALL_TIMES = { from: '0001-01-01T00:00:00.000000Z', to: '9999-12-31T23:59:59.999999Z' };

export function postureHandlers({
  db,
  generations,
}: FindingParts): Handlers<'GetPostureStats' | 'PostureHistoryForEnvironments' | 'GetPostureSummary'> {
  return {
    async GetPostureSummary({ query, rawQuery }, { principal }) {
      const zone = await zoneOf(db, query.asset_group_tag_id);
      const data = await postureSummary(db, generations.current(), {
        visible: visibleEnvironments(principal),
        zone: zone.id,
        isLabel: zone.isLabel === true,
        ...(zone.wording !== undefined && { wording: zone.wording }),
        window: askedWindow(rawQuery, ['from', 'to']),
      });
      return { status: 200, json: { data } };
    },

    async GetPostureStats({ query, rawQuery }, { principal }) {
      const { skip, limit } = query;
      const list = parseListQuery(rawQuery, POSTURE_STAT_COLUMNS);
      const asksZone = list.filters.some(({ column }) => column === 'asset_group_tag_id');
      await filteredZone(db, list.filters);
      const asksTime = list.filters.some(({ column }) => column === 'created_at');
      const window = askedWindow(rawQuery, ['from', 'to']);
      // A time filter replaces the window.
      const { from, to } = asksTime && !rawQuery.has('from') && !rawQuery.has('to') ? ALL_TIMES : window;
      const zones = asksZone ? await tagsWithStats(db) : [TIER_ZERO];
      const scope = { from, to, visible: visibleEnvironments(principal), zones: zones };
      const { count, rows } = await postureStats(db, scope, { ...list, skip, limit });
      const unread = await unreadAt(
        db,
        rows.map(({ environment_id, created_at }) => ({ environment_id, at: created_at })),
      );
      const data = rows.map((row, at) => postureRecord(row, scope.visible, unread[at]));
      return { status: 200, json: { count, skip, limit, start: window.from, end: window.to, data } };
    },

    async PostureHistoryForEnvironments({ params, query, rawQuery }, { principal }) {
      const { data_type } = params;
      if (!isHistoryType(data_type)) {
        const reason = `must be one of ${POSTURE_HISTORY_TYPES.join(', ')}`;
        throw apiError('malformedPathParameter', { name: 'data_type', reason });
      }
      const window = askedWindow(rawQuery, ['start', 'end']);
      const environments = askedEnvironments(rawQuery, 'environments', generations);
      const visible = visibleEnvironments(principal);
      const zones = tagsOf(await askedZone(db, rawQuery));
      const scope = { ...window, visible, environments, zones, points: query.points };
      const { points, data } = await postureHistory(db, data_type, scope);
      const generation = generations.current();
      const unread = await storedUnread(db)(generation.id);
      const not_read = generation.environments
        .filter(({ id }) => visible === null || visible.includes(id))
        .filter(({ id }) => environments.length === 0 || environments.includes(id))
        .map(({ id, collected }) => ({
          environment_id: id,
          parts: collected ? [...(unread.get(id) ?? [])] : ['environment'],
        }))
        .filter(({ parts }) => parts.length > 0);
      return {
        status: 200,
        json: {
          ...{ start: window.from, end: window.to, environments, data_type, data, not_read },
          // Public clients request days and do not know this field.
          ...(query.points !== undefined && { points }),
        },
      };
    },
  };
}

const isHistoryType = (text: string): text is PostureHistoryType =>
  (POSTURE_HISTORY_TYPES as readonly string[]).includes(text);

async function tagsWithStats(db: FindingParts['db']): Promise<number[]> {
  const rows = await db.selectFrom('posture_stat').select('tag_id').distinct().execute();
  return rows.map(({ tag_id }) => tag_id);
}

/** Omits environments that the caller may not see (`visible` null: all). */
function postureRecord(
  row: PostureStatRow,
  visible: readonly string[] | null,
  unread: readonly string[],
): PostureStat {
  return {
    id: row.id,
    created_at: row.created_at,
    updated_at: row.updated_at,
    deleted_at: nullTime(row.deleted_at),
    domain_sid: row.environment_id,
    asset_group_tag_id: row.tag_id,
    exposure_index: row.exposure_index,
    exposure_from: row.exposure_from.filter(
      ({ environment_id }) => visible === null || visible.includes(environment_id),
    ),
    tier_zero_count: row.tier_zero_count,
    critical_risk_count: row.critical_risk_count,
    not_read: [...unread],
  };
}
