/**
 * Zone membership history: stored as intervals per object and the instants of changes, not as copies of all members. A zone of 10,000
 * objects with a few changes a day costs a few rows a day.
 *
 * Rule: `docs/reference/api.md#zones` (membership snapshots over time).
 */

import { type ColumnReferences, filterConditions, type ListQuery, sortOrders } from '@clew/common';
import type { Db, ZoneStayTable } from '@clew/store';
import { type Selectable, sql } from 'kysely';

/** Days for which every change is kept; for older days only the last one is, like posture figures. */
const FULL_DAYS = 31;

const STAYING = `staged.tagged and staged.tag_id = zone_stay.tag_id and staged.object_id = zone_stay.object_id`;

/** Run in this order, while `stage_zone_member` has the members of the generation; dated statements get its instant. */
export const RECORD_STAYS: readonly { readonly sql: string; readonly dated: boolean }[] = [
  {
    dated: true,
    sql: `update zone_stay set left_at = $1
   where left_at is null and not exists (select from stage_zone_member staged where ${STAYING})`,
  },
  {
    dated: false,
    sql: `update zone_stay
   set name = staged.name, primary_kind = staged.primary_kind, environment_id = staged.environment_id
   from stage_zone_member staged
   where left_at is null and ${STAYING}
     and (zone_stay.name, zone_stay.primary_kind, zone_stay.environment_id)
       is distinct from (staged.name, staged.primary_kind, staged.environment_id)`,
  },
  {
    dated: true,
    sql: `insert into zone_stay (tag_id, object_id, name, primary_kind, environment_id, joined_at)
   select tag_id, object_id, name, primary_kind, environment_id, $1 from stage_zone_member
   where tagged and exists (select from asset_group_tag zone where zone.id = tag_id and deleted_at is null)
   order by tag_id, object_id
   on conflict (tag_id, object_id) where left_at is null do nothing`,
  },
  {
    dated: true,
    sql: `insert into zone_collection (tag_id, created_at)
   select distinct tag_id, $1::timestamptz from zone_stay where joined_at = $1 or left_at = $1 order by tag_id`,
  },
  {
    dated: true,
    sql: `delete from zone_collection old
   where created_at < $1::timestamptz - interval '${FULL_DAYS} days'
     and exists (
       select from zone_collection later
       where later.tag_id = old.tag_id and later.created_at > old.created_at
         and date_trunc('day', later.created_at) = date_trunc('day', old.created_at))`,
  },
  {
    dated: true,
    sql: `delete from zone_stay
   where left_at < $1::timestamptz - interval '${FULL_DAYS} days'
     and not exists (
       select from zone_collection
       where zone_collection.tag_id = zone_stay.tag_id and created_at >= joined_at and created_at < left_at)`,
  },
];

export interface CollectionRow {
  readonly id: number;
  readonly created_at: string;
}

/** Rows never change, and are deleted only by age. */
const COLLECTION_REFERENCES: ColumnReferences = {
  updated_at: sql.ref('created_at'),
  deleted_at: sql<string>`null::timestamptz`,
};

/** @returns instants at which members of the zone changed, oldest first by default */
export function listCollections(
  db: Db,
  zone: number,
  { filters, sorts }: ListQuery,
  visible: readonly string[] | null,
): Promise<CollectionRow[]> {
  const collections = db
    .selectFrom('zone_collection')
    .select(['id', 'created_at'])
    .where('tag_id', '=', zone)
    .where(changedFor(visible))
    .where((eb) => eb.and(filterConditions(filters, COLLECTION_REFERENCES)));
  return sortOrders(sorts, COLLECTION_REFERENCES)
    .reduce((query, order) => query.orderBy(order), collections)
    .orderBy('id')
    .execute();
}

/** Whether a visible member was added or removed since the previous collection. */
const changedFor = (visible: readonly string[] | null) =>
  sql<boolean>`(${visible}::text[] is null or exists (
    select from zone_stay stay
    where stay.tag_id = zone_collection.tag_id and stay.environment_id = any (${visible}::text[])
      and greatest(
        case when joined_at <= zone_collection.created_at then joined_at end,
        case when left_at <= zone_collection.created_at then left_at end
      ) > coalesce((
        select max(earlier.created_at) from zone_collection earlier
        where earlier.tag_id = zone_collection.tag_id and earlier.created_at < zone_collection.created_at
      ), '-infinity')))`;

export type StayRow = Selectable<ZoneStayTable>;

export interface MembersAt {
  readonly zone: number;
  readonly instant: string;
  /** Environments the caller may see; `null` for all. */
  readonly visible: readonly string[] | null;
}

/** @returns members of the zone at an instant, by object id, after `after` */
export function membersAt(
  db: Db,
  { zone, instant, visible }: MembersAt,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<StayRow[]> {
  let stays = db
    .selectFrom('zone_stay')
    .selectAll()
    .where('tag_id', '=', zone)
    .where('joined_at', '<=', instant)
    .where(sql<boolean>`(left_at is null or left_at > ${instant})`)
    .where('object_id', '>', after);
  if (visible !== null) stays = stays.where(sql<boolean>`environment_id = any (${visible}::text[])`);
  return stays.orderBy('object_id').limit(limit).execute();
}
