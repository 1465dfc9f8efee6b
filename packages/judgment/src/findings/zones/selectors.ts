/**
 * Selectors of zones: which objects are members. Built-in selectors can only be switched off, if that is allowed.
 *
 * Rule: `docs/findings.md#zones`.
 */

import { type Actor, filterRows, type ListQuery, sortRows } from '@clew/common';
import { CypherError, parse, placedMessage } from '@clew/cypher';
import { type Criterion, DEFAULT_SELECTORS } from '@clew/model';
import {
  type AssetGroupTagSelectorTable,
  type Db,
  inTransaction,
  namedObjectIds,
  type Schema,
  zonesChanged,
} from '@clew/store';
import { type Selectable, sql, type UpdateObject } from 'kysely';
import { SeedType } from './storedZones.ts';
import { orDuplicate, ZoneError } from './zoneError.ts';
import { actorName, recordZoneChange } from './zoneHistory.ts';
import { findZone } from './zones.ts';

export interface Seed {
  readonly type: number;
  readonly value: string;
}

export type SelectorRow = Selectable<AssetGroupTagSelectorTable> & {
  readonly seeds: readonly Seed[];
  /** Number of objects selected in the newest generation. */
  readonly member_count: number;
};

export interface SelectorScope {
  readonly zone: number;
  /** Only visible members are counted. */
  readonly visible: readonly string[] | null;
  /** Limits the count to these environments; default all. */
  readonly environments?: readonly string[];
}

const MAX_SEEDS = 10_000;
/** Limited because it is part of a key in the store. */
const MAX_QUERY_BYTES = 2000;
const MAX_SELECTORS = 1_000;

/** @returns selectors of a zone, built-in ones first */
export async function listSelectors(db: Db, scope: SelectorScope): Promise<SelectorRow[]> {
  const rows = await db
    .selectFrom('asset_group_tag_selector')
    .selectAll()
    .where('asset_group_tag_id', '=', scope.zone)
    .orderBy('is_default', 'desc')
    .orderBy('id')
    .execute();
  return completeRules(db, rows, scope);
}

/** Filters and sorts selectors as displayed to the caller, so that no filter matches a hidden text. */
export function chosenSelectors<Row extends SelectorRow>(
  rows: readonly Row[],
  { filters, sorts }: ListQuery,
): readonly Row[] {
  const read = (row: Row, column: string): unknown =>
    column === 'type' ? seedTypeOf(row) : row[column as keyof Row];
  const order = (a: Row, b: Row): number => Number(b.is_default) - Number(a.is_default) || a.id - b.id;
  return sortRows(filterRows(rows, filters, read), sorts, order, read);
}

/** The type of the seeds of a selector; all seeds of a selector have one type. */
const seedTypeOf = ({ is_default, seeds, hidden_seeds }: SelectorRow & { readonly hidden_seeds?: number }) =>
  is_default ? SeedType.query : (seeds[0]?.type ?? (hidden_seeds === undefined ? null : SeedType.objectId));

/** @throws ZoneError `unknown` */
export async function findSelector(
  db: Db,
  zone: number,
  id: number,
  visible: readonly string[] | null = null,
): Promise<SelectorRow> {
  const row = await db
    .selectFrom('asset_group_tag_selector')
    .selectAll()
    .where('asset_group_tag_id', '=', zone)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined)
    throw new ZoneError('unknown', `no selector has the id ${id} in the asset group tag ${zone}`);
  return (await completeRules(db, [row], { visible }))[0];
}

/** @param visible ids of environments; null for all @returns the selectors that select an object, for the page of a member */
export async function selectorsOfMember(
  db: Db,
  zone: number,
  nodeId: number,
  visible: readonly string[] | null,
): Promise<SelectorRow[]> {
  const rows = await db
    .selectFrom('asset_group_tag_selector')
    .innerJoin('zone_rule_member', 'zone_rule_member.selector_id', 'asset_group_tag_selector.id')
    .selectAll('asset_group_tag_selector')
    .where('asset_group_tag_id', '=', zone)
    .where('node_id', '=', nodeId)
    .orderBy('id')
    .execute();
  return completeRules(db, rows, { visible });
}

export interface NewSelector {
  readonly name: string;
  readonly description?: string;
  readonly autoCertify?: number;
  readonly seeds: readonly Seed[];
}

/** @throws ZoneError */
export async function createSelector(
  db: Db,
  actor: Actor,
  zone: number,
  selector: NewSelector,
): Promise<SelectorRow> {
  const seeds = await storedSeeds(db, selector.seeds);
  const name = expectName(selector.name);
  const id = await inTransaction(db, async (transaction) => {
    await findZone(transaction, zone);
    const { count } = await transaction
      .selectFrom('asset_group_tag_selector')
      .select(sql<number>`count(*)::integer`.as('count'))
      .where('asset_group_tag_id', '=', zone)
      .executeTakeFirstOrThrow();
    if (count >= MAX_SELECTORS)
      throw new ZoneError('too many', `the zone already has ${MAX_SELECTORS} selectors`);
    const insert = transaction
      .insertInto('asset_group_tag_selector')
      .values({
        name,
        asset_group_tag_id: zone,
        description: selector.description ?? '',
        auto_certify: expectAutoCertify(selector.autoCertify ?? 0),
        created_by: actorName(actor),
        updated_by: actorName(actor),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const created = await orDuplicate(insert, `the zone already has a selector named ${name}`);
    await writeSeeds(transaction, created.id, seeds);
    const environment = await environmentOf(transaction, seeds);
    await recordZoneChange(transaction, actor, { action: 'CreateSelector', target: name, zone, environment });
    await zonesChanged(transaction);
    return created.id;
  });
  return findSelector(db, zone, id);
}

export interface SelectorChange {
  readonly name?: string;
  readonly description?: string;
  readonly autoCertify?: number;
  readonly disabled?: boolean;
  readonly seeds?: readonly Seed[];
}

/**
 * @param changeOf computes the change of a stored selector: a caller who sees only a part changes only that part
 * @throws ZoneError
 */
export async function updateSelector(
  db: Db,
  actor: Actor,
  zone: number,
  id: number,
  changeOf: SelectorChange | ((selector: SelectorRow) => SelectorChange),
): Promise<SelectorRow> {
  await inTransaction(db, async (transaction) => {
    const selector = await findSelector(transaction, zone, id);
    const change = typeof changeOf === 'function' ? changeOf(selector) : changeOf;
    const seeds = change.seeds === undefined ? undefined : await storedSeeds(transaction, change.seeds);
    expectAllowed(selector, change);
    const update = transaction
      .updateTable('asset_group_tag_selector')
      .set(changedValues(actor, selector, change))
      .where('id', '=', id)
      .executeTakeFirst();
    await orDuplicate(update, `the zone already has a selector named ${change.name}`);
    if (seeds !== undefined) await writeSeeds(transaction, id, seeds);
    // The objects leave the zone with the next generation, unless another selector selects them.
    if (change.disabled === true) {
      await transaction.deleteFrom('zone_rule_member').where('selector_id', '=', id).execute();
    }
    const environment = await environmentOf(transaction, [...selector.seeds, ...(seeds ?? [])]);
    const target = selector.name;
    await recordZoneChange(transaction, actor, { action: 'UpdateSelector', target, zone, environment });
    await zonesChanged(transaction);
  });
  return findSelector(db, zone, id);
}

/**
 * @param expectAll throws if the caller sees only a part of the selector, so that the rest is not deleted with it
 * @throws ZoneError
 */
export async function deleteSelector(
  db: Db,
  actor: Actor,
  zone: number,
  id: number,
  expectAll: (selector: SelectorRow) => void = () => {},
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const selector = await findSelector(transaction, zone, id);
    expectAll(selector);
    if (selector.is_default)
      throw new ZoneError('protected', `the built-in selector ${selector.name} cannot be deleted`);
    if (selector.extension_id !== null)
      throw new ZoneError('protected', `the selector ${selector.name} is removed with its extension`);
    await transaction.deleteFrom('asset_group_tag_selector').where('id', '=', id).execute();
    const environment = await environmentOf(transaction, selector.seeds);
    const target = selector.name;
    await recordZoneChange(transaction, actor, { action: 'DeleteSelector', target, zone, environment });
    await zonesChanged(transaction);
  });
}

function changedValues(
  actor: Actor,
  selector: SelectorRow,
  change: SelectorChange,
): UpdateObject<Schema, 'asset_group_tag_selector'> {
  const by = actorName(actor);
  const switched = change.disabled !== undefined && change.disabled !== (selector.disabled_at !== null);
  return {
    updated_by: by,
    updated_at: sql<string>`clock_timestamp()`,
    ...(change.name === undefined ? {} : { name: expectName(change.name) }),
    ...(change.description === undefined ? {} : { description: change.description }),
    ...(change.autoCertify === undefined ? {} : { auto_certify: expectAutoCertify(change.autoCertify) }),
    ...(switched && change.disabled ? { disabled_at: sql<string>`clock_timestamp()`, disabled_by: by } : {}),
    ...(switched && !change.disabled ? { disabled_at: null, disabled_by: null } : {}),
  };
}

/** Clients send back what they read with one change, so equal values do not count as changes. */
function expectAllowed(selector: SelectorRow, change: SelectorChange): void {
  if (!selector.is_default && selector.extension_id === null) return;
  const whose = selector.is_default ? 'built-in selector' : 'selector of an extension';
  const isEdited =
    (change.name ?? selector.name) !== selector.name ||
    (change.description ?? selector.description) !== selector.description ||
    (change.seeds !== undefined && JSON.stringify(change.seeds) !== JSON.stringify(selector.seeds));
  if (isEdited) throw new ZoneError('protected', `the ${whose} ${selector.name} cannot be edited`);
  if (change.disabled === true && !selector.allow_disable) {
    throw new ZoneError('protected', `the ${whose} ${selector.name} cannot be turned off`);
  }
}

function expectName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.length >= 1 && trimmed.length <= 250 && !trimmed.includes('\0') && trimmed.isWellFormed()) {
    return trimmed;
  }
  throw new ZoneError('invalid name', 'the name of a selector must have 1 to 250 characters');
}

function expectAutoCertify(value: number): number {
  if (value === 0 || value === 1 || value === 2) return value;
  throw new ZoneError('invalid selector', 'auto_certify must be 0, 1 or 2');
}

/** Converts object ids to their stored form. */
async function storedSeeds(db: Db, given: readonly Seed[]): Promise<readonly Seed[]> {
  const seeds = expectSeeds(given);
  if (seeds[0]?.type !== SeedType.objectId) return seeds;
  const ids = await namedObjectIds(
    db,
    seeds.map(({ value }) => value),
  );
  return ids.map((value) => ({ type: SeedType.objectId, value }));
}

/** Leaves object ids as written. */
export function expectSeeds(seeds: readonly Seed[]): readonly Seed[] {
  if (seeds.length === 0) throw new ZoneError('invalid selector', 'a rule needs a seed');
  if (seeds.length > MAX_SEEDS)
    throw new ZoneError('too many', `a selector can have at most ${MAX_SEEDS} seeds`);
  const known = new Map<string, Seed>();
  for (const { type, value } of seeds) {
    if (type === SeedType.query) {
      const query = expectQuery(value);
      known.set(query, { type, value: query });
      continue;
    }
    const id = value.trim();
    if (
      type !== SeedType.objectId ||
      id === '' ||
      id.length > 1024 ||
      id.includes('\0') ||
      !id.isWellFormed()
    ) {
      throw new ZoneError('invalid selector', 'a seed must be the ID of an object');
    }
    known.set(id, { type, value: id });
  }
  const types = new Set([...known.values()].map(({ type }) => type));
  if (types.size > 1)
    throw new ZoneError('invalid selector', 'the seeds of a selector must have the same type');
  return [...known.values()];
}

/** @throws ZoneError for an invalid query, or one that reads unknown kinds or properties */
function expectQuery(value: string): string {
  const query = value.trim();
  if (Buffer.byteLength(query) > MAX_QUERY_BYTES)
    throw new ZoneError(
      'invalid selector',
      `the query of a selector can have at most ${MAX_QUERY_BYTES} bytes`,
    );
  if (query.includes('\0') || !query.isWellFormed())
    throw new ZoneError('invalid selector', 'the query of a selector contains invalid characters');
  try {
    parse(query);
  } catch (error) {
    if (!(error instanceof CypherError)) throw error;
    throw new ZoneError('invalid selector', `the query cannot be used: ${placedMessage(error, query)}`);
  }
  return query;
}

/** The environment of objects in none or several; no limited user has it. */
const NO_ONES = '';

/**
 * Selectors of objects are named after them, so their history belongs to the environment of the objects. @returns null if the seeds are
 * queries
 */
async function environmentOf(transaction: Db, seeds: readonly Seed[]): Promise<string | null> {
  const ids = seeds.filter(({ type }) => type === SeedType.objectId).map(({ value }) => value);
  if (ids.length === 0) return null;
  const { rows } = await sql<{ environment: string }>`
    select distinct coalesce(owner.object_id, ${NO_ONES}) as environment
    from unnest(${ids}::text[]) as seed (object_id)
    left join object_id named on named.object_id = seed.object_id
    left join node on node.id = named.id
    left join object_id owner on owner.id = node.environment_id`.execute(transaction);
  return rows.length === 1 ? rows[0].environment : NO_ONES;
}

export async function writeSeeds(transaction: Db, selector: number, seeds: readonly Seed[]): Promise<void> {
  await transaction.deleteFrom('asset_group_tag_selector_seed').where('selector_id', '=', selector).execute();
  await sql`
    insert into asset_group_tag_selector_seed (selector_id, type, value)
    select ${selector}, * from unnest(${seeds.map(({ type }) => type)}::smallint[], ${seeds.map(({ value }) => value)}::text[])`.execute(
    transaction,
  );
}

/** Environments whose members are counted. */
type CountedWithin = Pick<SelectorScope, 'visible'> & { readonly environments?: readonly string[] | null };

async function completeRules(
  db: Db,
  rows: readonly Selectable<AssetGroupTagSelectorTable>[],
  { visible, environments = null }: CountedWithin,
): Promise<SelectorRow[]> {
  const ids = rows.map(({ id }) => id);
  const seeds = await db
    .selectFrom('asset_group_tag_selector_seed')
    .selectAll()
    .where('selector_id', '=', sql<number>`any(${ids}::integer[])`)
    .orderBy('type')
    .orderBy('value')
    .execute();
  const { rows: counts } = await sql<{ selector_id: number; count: number }>`
    select selector_id, count(*)::integer as count
    from zone_rule_member
    join asset_group_tag_selector selector on selector.id = selector_id
    join zone_member on zone_member.tag_id = selector.asset_group_tag_id and zone_member.node_id = zone_rule_member.node_id
    where selector_id = any (${ids}::integer[])
      and (${visible}::text[] is null or environment_id = any (${visible}::text[]))
      and (${environments}::text[] is null or environment_id = any (${environments}::text[]))
    group by 1`.execute(db);
  const seedsOf = Map.groupBy(seeds, ({ selector_id }) => selector_id);
  const countOf = new Map(counts.map(({ selector_id, count }) => [selector_id, count]));
  return rows.map((row) => ({
    ...row,
    // Warnings count objects of all environments.
    query_warnings: visible === null ? row.query_warnings : null,
    seeds: row.is_default
      ? criterionSeeds(row.default_key)
      : (seedsOf.get(row.id) ?? []).map(({ type, value }) => ({ type, value })),
    member_count: countOf.get(row.id) ?? 0,
  }));
}

/** Built-in selectors are internal criteria, displayed as an equivalent query. */
function criterionSeeds(key: string | null): readonly Seed[] {
  const selector = DEFAULT_SELECTORS.find((selector) => selector.key === key);
  return selector === undefined
    ? []
    : [{ type: SeedType.query, value: criterionAsQuery(selector.criterion) }];
}

export function criterionAsQuery(criterion: Criterion): string {
  const text = (value: string) => `'${value.replaceAll("'", "\\'")}'`;
  const match = `MATCH (n:${criterion.kind})`;
  switch (criterion.by) {
    case 'kind':
      return `${match} RETURN n`;
    case 'id-suffix':
      return `${match} WHERE n.objectid ENDS WITH ${text(criterion.suffix)} RETURN n`;
    case 'id-prefix':
      return `${match} WHERE n.objectid STARTS WITH ${text(criterion.prefix)} RETURN n`;
    case 'name-prefix':
      return `${match} WHERE n.name STARTS WITH ${text(criterion.prefix)} RETURN n`;
    case 'dn-prefix':
      return `${match} WHERE n.distinguishedname STARTS WITH ${text(criterion.prefix)} RETURN n`;
    case 'text':
      return `${match} WHERE toUpper(n.${criterion.key}) = ${text(criterion.value)} RETURN n`;
    case 'member-of':
      return (
        `${match}-[:MemberOf*1..]->(g:Group) WHERE g.objectid ENDS WITH ${text(criterion.suffix)} RETURN n ` +
        `UNION ${match} WHERE n.${criterion.flag} = true RETURN n`
      );
    case 'server-of-controller':
      return `${match}<-[:ServerIs]-(:Computer)-[:DCFor]->(:Domain) RETURN n`;
    case 'edge-from':
      return `${match}-[:${criterion.edge}]->(:${criterion.endKind}) RETURN n`;
  }
}
