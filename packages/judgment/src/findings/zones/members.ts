/** Members of zones and selectors as of the newest generation, and the decisions of people about them. */

import { type Actor, type ColumnReferences, escapeLike, filterConditions, sortOrders } from '@clew/common';
import {
  type Db,
  inSnapshot,
  inTransaction,
  type Schema,
  type ZoneMemberTable,
  zonesChanged,
} from '@clew/store';
import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import { writeMentions } from '../../mentions/mentions.ts';
import type { PagedQuery } from '../findingQueries.ts';
import { Certified } from './storedZones.ts';
import { ZoneError } from './zoneError.ts';
import { actorName, recordZoneChange } from './zoneHistory.ts';

export type MemberRow = Selectable<ZoneMemberTable>;

export interface MemberScope {
  readonly zone: number;
  readonly visible: readonly string[] | null;
  readonly environments?: readonly string[];
  /** Members selected by this selector; default all tagged members of the zone. */
  readonly selector?: number;
}

export interface MemberPage {
  readonly count: number;
  readonly rows: readonly MemberRow[];
}

/** Answers use the graph id of a member as its id; `objectid` is an older spelling. */
const MEMBER_REFERENCES: ColumnReferences = {
  id: sql.ref('zone_member.node_id'),
  objectid: sql.ref('object_id'),
};

/** Ordered by name and object id by default. */
export function listMembers(db: Db, scope: MemberScope, query: PagedQuery): Promise<MemberPage> {
  return inSnapshot(db, async (snapshot) => {
    const chosen = membersIn(snapshot, scope).where((eb) =>
      eb.and(filterConditions(query.filters, MEMBER_REFERENCES)),
    );
    const { count } = await chosen
      .select(sql<number>`count(*)::integer`.as('count'))
      .executeTakeFirstOrThrow();
    let page = sortOrders(query.sorts, MEMBER_REFERENCES)
      .reduce((rows, order) => rows.orderBy(order), chosen.selectAll())
      .orderBy(sql`name collate "C"`)
      .orderBy('object_id')
      .offset(query.skip);
    if (query.limit > 0) page = page.limit(query.limit);
    return { count, rows: await page.execute() };
  });
}

/** @returns number of members by displayed kind */
export async function countMembers(
  db: Db,
  scope: MemberScope,
): Promise<{ total: number; byKind: Readonly<Record<string, number>> }> {
  const rows = await membersIn(db, scope)
    .select(['primary_kind', sql<number>`count(*)::integer`.as('count')])
    .groupBy('primary_kind')
    .orderBy('primary_kind')
    .execute();
  return {
    total: rows.reduce((sum, { count }) => sum + count, 0),
    byKind: Object.fromEntries(rows.map(({ primary_kind, count }) => [primary_kind, count])),
  };
}

/** @param nodeId graph id @throws ZoneError `unknown`, also if the caller may not see the member */
export async function findMember(
  db: Db,
  zone: number,
  nodeId: number,
  visible: readonly string[] | null,
): Promise<MemberRow> {
  const member = await db
    .selectFrom('zone_member')
    .selectAll()
    .where('tag_id', '=', zone)
    .where('node_id', '=', nodeId)
    .executeTakeFirst();
  const isHidden = visible !== null && !visible.includes(member?.environment_id ?? '');
  if (member === undefined || isHidden) {
    throw new ZoneError('unknown', `the asset group tag ${zone} has no member ${nodeId}`);
  }
  return member;
}

export interface ZoneSearch {
  readonly text: string;
  readonly zoneType?: number;
  readonly zone?: number;
  readonly visible: readonly string[] | null;
  /** Maximum number of results of each type; default 20. */
  readonly limit?: number;
}

/** Finds zones, selectors and members by name; members also by object id. */
export async function searchZones(
  db: Db,
  { text, zoneType, zone, visible, limit = 20 }: ZoneSearch,
): Promise<{
  zones: readonly number[];
  selectors: readonly { zone: number; id: number }[];
  members: MemberRow[];
}> {
  const pattern = `%${escapeLike(text)}%`;
  const inThisZone = sql<boolean>`(${zone ?? null}::integer is null or zone.id = ${zone ?? null})`;
  const ofType = sql<boolean>`(${zoneType ?? null}::integer is null or zone.type = ${zoneType ?? null}::bigint)`;
  const { rows: zones } = await sql<{ id: number }>`
    select id from asset_group_tag zone
    where deleted_at is null and name ilike ${pattern} and ${inThisZone} and ${ofType} order by id limit ${limit}`.execute(
    db,
  );
  const { rows: selectors } = await sql<{ zone: number; id: number }>`
    select zone.id as zone, selector.id
    from asset_group_tag_selector selector join asset_group_tag zone on zone.id = selector.asset_group_tag_id
    where zone.deleted_at is null and selector.name ilike ${pattern} and ${inThisZone} and ${ofType}
    order by zone.id, selector.id limit ${limit}`.execute(db);
  const { rows: members } = await sql<MemberRow>`
    select zone_member.*
    from zone_member join asset_group_tag zone on zone.id = zone_member.tag_id
    where zone.deleted_at is null and tagged and (zone_member.name ilike ${pattern} or object_id ilike ${pattern})
      and ${inThisZone} and ${ofType} and (${visible}::text[] is null or environment_id = any (${visible}::text[]))
    order by zone_member.name collate "C", object_id limit ${limit}`.execute(db);
  return { zones: zones.map(({ id }) => id), selectors, members };
}

/** Here the id is that of the membership, because an object may be pending in several zones. */
const CERTIFICATION_REFERENCES: ColumnReferences = {
  asset_group_tag_id: sql.ref('tag_id'),
  environments: sql.ref('environment_id'),
};

/** Members of zones that require certification, in any state. */
export function listCertifications(
  db: Db,
  scope: { readonly visible: readonly string[] | null; readonly environments?: readonly string[] },
  query: PagedQuery,
): Promise<MemberPage> {
  return inSnapshot(db, async (snapshot) => {
    let chosen = snapshot
      .selectFrom('zone_member')
      .where('tag_id', 'in', (eb) =>
        eb
          .selectFrom('asset_group_tag')
          .select('id')
          .where('require_certify', '=', true)
          .where('deleted_at', 'is', null),
      )
      .where((eb) => eb.and(filterConditions(query.filters, CERTIFICATION_REFERENCES)));
    for (const allowed of [scope.visible, scope.environments]) {
      if (allowed) chosen = chosen.where(sql<boolean>`environment_id = any (${allowed}::text[])`);
    }
    const { count } = await chosen
      .select(sql<number>`count(*)::integer`.as('count'))
      .executeTakeFirstOrThrow();
    let page = sortOrders(query.sorts, CERTIFICATION_REFERENCES)
      .reduce((rows, order) => rows.orderBy(order), chosen.selectAll())
      .orderBy('id')
      .offset(query.skip);
    if (query.limit > 0) page = page.limit(query.limit);
    return { count, rows: await page.execute() };
  });
}

export interface CertificationDecision {
  /** Numbers of memberships, as in `listCertifications`. */
  readonly memberIds: readonly number[];
  readonly certified: typeof Certified.manual | typeof Certified.revoked;
  readonly note?: string;
  readonly visible: readonly string[] | null;
}

/**
 * Holds until the next decision; takes effect with the next generation. @throws ZoneError if any member is unknown; then nothing is decided
 */
export async function decideCertification(
  db: Db,
  actor: Actor,
  decision: CertificationDecision,
): Promise<void> {
  const { memberIds, certified, note = '', visible } = decision;
  return inTransaction(db, async (transaction) => {
    const { rows: members } = await sql<MemberRow>`
      select * from zone_member
      where id = any (${memberIds}::bigint[])
        and (${visible}::text[] is null or environment_id = any (${visible}::text[]))
      order by id for update`.execute(transaction);
    if (members.length < new Set(memberIds).size) throw new ZoneError('unknown', 'a member does not exist');
    const by = actorName(actor);
    for (const member of members) {
      const { tag_id, node_id } = member;
      const values = { certified, decided_by: by, decided_at: sql<string>`clock_timestamp()`, note };
      await transaction
        .insertInto('zone_decision')
        .values({ tag_id, node_id, ...values })
        .onConflict((conflict) => conflict.columns(['tag_id', 'node_id']).doUpdateSet(values))
        .execute();
      await transaction
        .updateTable('zone_member')
        .set({ certified, certified_by: by, updated_at: sql<string>`clock_timestamp()` })
        .where('id', '=', member.id)
        .execute();
      const action = certified === Certified.manual ? 'CertifyNodeManual' : 'CertifyNodeRevoked';
      const target = member.name || member.object_id;
      const environment = member.environment_id;
      await recordZoneChange(transaction, actor, { action, target, zone: tag_id, environment, note });
    }
    for (const [zone_id, some] of Map.groupBy(members, ({ tag_id }) => tag_id)) {
      // Objects without an environment get one that no limited user has.
      const environments = [...new Set(some.map(({ environment_id }) => environment_id ?? ''))];
      const at = { place: 'certification', zone_id, environments, count: some.length } as const;
      await writeMentions(transaction, { at, text: note, author: actor.principal });
    }
    if (members.length > 0) await zonesChanged(transaction);
  });
}

function membersIn(db: Db, { zone, visible, environments, selector }: MemberScope) {
  let members: SelectQueryBuilder<Schema, 'zone_member', object> = db
    .selectFrom('zone_member')
    .where('tag_id', '=', zone);
  for (const allowed of [visible, environments]) {
    if (allowed) members = members.where(sql<boolean>`environment_id = any (${allowed}::text[])`);
  }
  if (selector === undefined) return members.where('tagged', '=', true);
  return members.where(
    sql<boolean>`exists (select from zone_rule_member selector
      where selector.selector_id = ${selector} and selector.node_id = zone_member.node_id)`,
  );
}
