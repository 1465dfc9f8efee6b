/**
 * Zones in order, labels, and the mark of owned objects. Each change requests a new generation, with which it takes effect.
 *
 * Rules: `docs/findings.md#zones`, `docs/reference/api.md#asset-groups`.
 */

import { MAX_ZONES } from '@clew/api';
import { type Actor, filterConditions, type ListQuery, sortOrders } from '@clew/common';
import {
  type AssetGroupTagTable,
  type Db,
  inTransaction,
  OWNED,
  type Schema,
  TIER_ZERO,
  ZoneType,
  zoneKindName,
  zonesChanged,
} from '@clew/store';
import { CompiledQuery, type Selectable, sql, type UpdateObject } from 'kysely';
import { orDuplicate, ZoneError } from './zoneError.ts';
import { actorName, recordZoneChange } from './zoneHistory.ts';

export type ZoneRow = Selectable<AssetGroupTagTable>;

export interface ZoneCounts {
  readonly selectors: number;
  readonly custom_selectors: number;
  readonly default_selectors: number;
  readonly disabled_selectors: number;
  /** Tagged objects of the environments that the caller may see. */
  readonly members: number;
}

const NAME = /^[A-Za-z0-9_ ]{1,250}$/;

/** @returns existing zones, ordered by position */
export function listZones(db: Db, { filters, sorts }: ListQuery): Promise<ZoneRow[]> {
  const zones = db
    .selectFrom('asset_group_tag')
    .selectAll()
    .where('deleted_at', 'is', null)
    .where((eb) => eb.and(filterConditions(filters)));
  return sortOrders(sorts)
    .reduce((query, order) => query.orderBy(order), zones)
    .orderBy(sql`position nulls last`)
    .orderBy('id')
    .execute();
}

/** @throws ZoneError `unknown` */
export async function findZone(db: Db, id: number): Promise<ZoneRow> {
  const zone = await db
    .selectFrom('asset_group_tag')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (zone === undefined) throw new ZoneError('unknown', `no asset group tag has the id ${id}`);
  return zone;
}

/** @returns counts by zone id; zones without members and selectors are missing */
export async function countZones(
  db: Db,
  visible: readonly string[] | null,
): Promise<ReadonlyMap<number, ZoneCounts>> {
  const { rows } = await sql<ZoneCounts & { id: number }>`
    select zone.id, selectors.*,
           (select count(*)::integer from zone_member
            where tag_id = zone.id and tagged
              and (${visible}::text[] is null or environment_id = any (${visible}::text[]))) as members
    from asset_group_tag zone
    cross join lateral (
      select count(*)::integer as selectors,
             count(*) filter (where not is_default)::integer as custom_selectors,
             count(*) filter (where is_default)::integer as default_selectors,
             count(*) filter (where disabled_at is not null)::integer as disabled_selectors
      from asset_group_tag_selector selector where selector.asset_group_tag_id = zone.id
    ) as selectors
    where zone.deleted_at is null`.execute(db);
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}

export interface NewZone {
  /** `ZoneType.zone` or `ZoneType.label`. */
  readonly type: number;
  readonly name: string;
  readonly description?: string;
  /** Position among zones; default last. */
  readonly position?: number;
  readonly requireCertify?: boolean;
  readonly glyph?: string | null;
}

/** @throws ZoneError */
export async function createZone(db: Db, actor: Actor, zone: NewZone): Promise<ZoneRow> {
  const name = expectName(zone.name);
  const isZone = zone.type === ZoneType.zone;
  if (!isZone && zone.type !== ZoneType.label) {
    throw new ZoneError('invalid selector', 'only zones and labels can be created');
  }
  if (!isZone && (zone.position !== undefined || zone.requireCertify === true)) {
    throw new ZoneError('invalid selector', 'only zones have a position and certification');
  }
  return inTransaction(db, async (transaction) => {
    await lockZones(transaction);
    const others = await transaction
      .selectFrom('asset_group_tag')
      .select(sql<number>`count(*)::integer`.as('count'))
      .where('type', '=', zone.type)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (others.count >= MAX_ZONES) throw new ZoneError('too many', `there are already ${MAX_ZONES}`);
    const position = isZone
      ? await makeRoom(transaction, zone.position ?? others.count + 1, others.count)
      : null;
    const insert = transaction
      .insertInto('asset_group_tag')
      .values({
        ...{ type: zone.type, name, position, glyph: zone.glyph ?? null },
        kind_id: await kindOf(transaction, name),
        description: zone.description ?? '',
        require_certify: isZone ? (zone.requireCertify ?? false) : null,
        // Analysis starts disabled, because selectors come first: an empty zone has nothing to find, and an incomplete one finds too much.
        analysis_enabled: isZone ? false : null,
        created_by: actorName(actor),
        updated_by: actorName(actor),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const created = await orDuplicate(insert, `there is already an asset group tag named ${name}`);
    await recordZoneChange(transaction, actor, { action: 'CreateTag', target: name, zone: created.id });
    await zonesChanged(transaction);
    return created;
  });
}

export interface ZoneUpdate {
  readonly name?: string;
  readonly description?: string;
  readonly position?: number;
  readonly requireCertify?: boolean;
  readonly analysisEnabled?: boolean;
  readonly glyph?: string | null;
}

/** @throws ZoneError */
export async function updateZone(db: Db, actor: Actor, id: number, change: ZoneUpdate): Promise<ZoneRow> {
  return inTransaction(db, async (transaction) => {
    await lockZones(transaction);
    const zone = await findZone(transaction, id);
    expectAllowed(zone, change);
    if (changesNothing(zone, change)) return zone;
    if (change.position !== undefined && change.position !== zone.position) {
      await moveZone(transaction, zone, change.position);
    }
    const values: UpdateObject<Schema, 'asset_group_tag'> = {
      updated_by: actorName(actor),
      updated_at: sql<string>`clock_timestamp()`,
      ...(change.description === undefined ? {} : { description: change.description }),
      ...(change.requireCertify === undefined ? {} : { require_certify: change.requireCertify }),
      ...(change.analysisEnabled === undefined ? {} : { analysis_enabled: change.analysisEnabled }),
      ...(change.glyph === undefined ? {} : { glyph: change.glyph }),
    };
    if (change.name !== undefined && change.name !== zone.name) {
      const name = expectName(change.name);
      Object.assign(values, { name, kind_id: await kindOf(transaction, name) });
    }
    const update = transaction
      .updateTable('asset_group_tag')
      .set(values)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const updated = await orDuplicate(update, `there is already an asset group tag named ${change.name}`);
    await recordZoneChange(transaction, actor, { action: 'UpdateTag', target: updated.name, zone: id });
    if (updated.analysis_enabled !== zone.analysis_enabled) {
      const action = updated.analysis_enabled ? 'AnalysisEnabledTag' : 'AnalysisDisabledTag';
      await recordZoneChange(transaction, actor, { action, target: updated.name, zone: id });
    }
    await zonesChanged(transaction);
    return updated;
  });
}

/**
 * Deletes the zone with its selectors.
 *
 * @param expectAll throws if the caller sees only a part of its selectors, so that the rest is not deleted with it
 * @throws ZoneError
 */
export async function deleteZone(
  db: Db,
  actor: Actor,
  id: number,
  expectAll: (transaction: Db) => Promise<void> = async () => {},
): Promise<void> {
  return inTransaction(db, async (transaction) => {
    await lockZones(transaction);
    const zone = await findZone(transaction, id);
    if (id === TIER_ZERO || id === OWNED) throw new ZoneError('protected', `${zone.name} cannot be deleted`);
    await expectAll(transaction);
    await transaction
      .updateTable('asset_group_tag')
      .set({ position: null, deleted_at: sql<string>`clock_timestamp()`, deleted_by: actorName(actor) })
      .where('id', '=', id)
      .execute();
    if (zone.position !== null) await shiftZones(transaction, zone.position + 1, null, -1);
    await transaction.deleteFrom('asset_group_tag_selector').where('asset_group_tag_id', '=', id).execute();
    await transaction.deleteFrom('zone_member').where('tag_id', '=', id).execute();
    await transaction.deleteFrom('zone_stay').where('tag_id', '=', id).execute();
    await transaction.deleteFrom('zone_collection').where('tag_id', '=', id).execute();
    await transaction.deleteFrom('zone_decision').where('tag_id', '=', id).execute();
    await recordZoneChange(transaction, actor, { action: 'DeleteTag', target: zone.name, zone: id });
    await zonesChanged(transaction);
  });
}

function expectName(name: string): string {
  const trimmed = name.trim();
  if (NAME.test(trimmed)) return trimmed;
  throw new ZoneError('invalid name', 'a name must have 1 to 250 letters, digits, spaces and underscores');
}

/** In that case no analysis is needed, and nothing is recorded. */
function changesNothing(zone: ZoneRow, change: ZoneUpdate): boolean {
  const now: Required<{ [Key in keyof ZoneUpdate]: unknown }> = {
    name: zone.name,
    description: zone.description,
    position: zone.position,
    requireCertify: zone.require_certify,
    analysisEnabled: zone.analysis_enabled,
    glyph: zone.glyph,
  };
  return Object.entries(change).every(
    ([key, value]) => value === undefined || value === now[key as keyof ZoneUpdate],
  );
}

function expectAllowed(zone: ZoneRow, change: ZoneUpdate): void {
  const isBuiltIn = zone.id === TIER_ZERO || zone.id === OWNED;
  const isRenamed = change.name !== undefined && change.name !== zone.name;
  const isMoved = change.position !== undefined && change.position !== zone.position;
  if (isBuiltIn && (isRenamed || isMoved))
    throw new ZoneError('protected', `the name and position of ${zone.name} cannot be changed`);
  const isForZones =
    change.position !== undefined ||
    change.requireCertify !== undefined ||
    change.analysisEnabled !== undefined;
  if (zone.type !== ZoneType.zone && isForZones) {
    throw new ZoneError('invalid selector', 'only zones have a position, certification and analysis');
  }
}

/** Positions have no gaps, so changes are serialized. */
async function lockZones(transaction: Db): Promise<void> {
  await sql`lock table asset_group_tag in share row exclusive mode`.execute(transaction);
}

/** @returns the freed position. Tier Zero stays first */
async function makeRoom(transaction: Db, position: number, zones: number): Promise<number> {
  expectPosition(position, zones + 1);
  await shiftZones(transaction, position, null, 1);
  return position;
}

async function moveZone(transaction: Db, zone: ZoneRow, position: number): Promise<void> {
  const { count } = await transaction
    .selectFrom('asset_group_tag')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('type', '=', ZoneType.zone)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  expectPosition(position, count);
  const from = zone.position as number;
  if (position < from) await shiftZones(transaction, position, from - 1, 1);
  else await shiftZones(transaction, from + 1, position, -1);
  await transaction.updateTable('asset_group_tag').set({ position }).where('id', '=', zone.id).execute();
}

function expectPosition(position: number, last: number): void {
  if (Number.isInteger(position) && position > 1 && position <= last) return;
  throw new ZoneError('invalid position', `the position must be from 2 to ${last}`);
}

/** @param last `null` for all from `first` on */
async function shiftZones(transaction: Db, first: number, last: number | null, by: 1 | -1): Promise<void> {
  await sql`
    update asset_group_tag set position = position + ${by}
    where position >= ${first} and (${last}::integer is null or position <= ${last})`.execute(transaction);
}

/** Same as `tagKind`, on a Kysely transaction. */
async function kindOf(transaction: Db, name: string): Promise<number> {
  await sql`lock table node_kind in share row exclusive mode`.execute(transaction);
  const { rows } = await transaction.executeQuery<{ id: number }>(
    CompiledQuery.raw(
      `with made as (
         insert into node_kind (id, name)
         select greatest((select max(id) from node_kind), 999) + 1, $1
         where not exists (select from node_kind where name = $1)
         returning id
       )
       select id from made union all select id from node_kind where name = $1`,
      [zoneKindName(name)],
    ),
  );
  return rows[0].id;
}
