/**
 * The default zones, rules and finding types of every installation. Rules and types are part of the release: each start adds new ones, and
 * updates the fields that users cannot change. Disabled ones stay disabled.
 *
 * Rule: `docs/findings.md#zones` and `docs/findings.md#default-selectors`.
 */
import { FINDING_TYPES } from '@clew/analysis';
import { DEFAULT_SELECTORS, FIRST_CUSTOM_KIND } from '@clew/model';
import type pg from 'pg';

/** Zone id of findings that belong to no zone. */
export const HYGIENE = 0;
export const TIER_ZERO = 1;
export const OWNED = 2;

export const ZoneType = { zone: 1, label: 2, owned: 3, decoy: 4 } as const;

/** Actor of records that no user caused. */
export const SYSTEM_ACTOR = 'SYSTEM';

const CERTIFY_SEEDS = 2;

export async function registerDefaultZones(client: pg.ClientBase): Promise<void> {
  await client.query('begin');
  try {
    await writeDefaultZones(client);
    await writeFindingTypes(client);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function writeDefaultZones(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::integer as count from asset_group_tag',
  );
  if (rows[0].count === 0) await createDefaultZones(client);
  await client.query(
    `with written as (
     insert into asset_group_tag_selector
       (asset_group_tag_id, default_key, name, description, is_default, allow_disable, auto_certify, created_by, updated_by)
     select $1, given.key, given.name, given.description, true, given.allow_disable, $2, $3, $3
     from unnest($4::text[], $5::text[], $6::text[], $7::boolean[]) as given (key, name, description, allow_disable)
     on conflict (default_key) do update
       set name = excluded.name, description = excluded.description, allow_disable = excluded.allow_disable
     where (asset_group_tag_selector.name, asset_group_tag_selector.description, asset_group_tag_selector.allow_disable)
       is distinct from (excluded.name, excluded.description, excluded.allow_disable)
     returning name, asset_group_tag_id, xmax = 0 as is_new
     )
     insert into asset_group_history (actor, action, target, asset_group_tag_id)
     select $3, 'CreateSelector', name, asset_group_tag_id from written where is_new`,
    [
      TIER_ZERO,
      CERTIFY_SEEDS,
      SYSTEM_ACTOR,
      DEFAULT_SELECTORS.map(({ key }) => key),
      DEFAULT_SELECTORS.map(({ name }) => name),
      DEFAULT_SELECTORS.map(({ description }) => description),
      DEFAULT_SELECTORS.map(({ allowDisable }) => allowDisable),
    ],
  );
  await client.query('delete from asset_group_tag_selector where is_default and default_key <> all ($1)', [
    DEFAULT_SELECTORS.map(({ key }) => key),
  ]);
}

async function writeFindingTypes(client: pg.ClientBase): Promise<void> {
  const ids = FINDING_TYPES.map(({ id }) => id);
  // Finding types of other platforms are written with the generation that finds them.
  await client.query("delete from finding_type where platform in ('ad', 'azure') and id <> all ($1)", [ids]);
  await client.query(
    `insert into finding_type (id, title, platform) select * from unnest($1::text[], $2::text[], $3::text[])
     on conflict (id) do update set title = excluded.title, platform = excluded.platform`,
    [ids, FINDING_TYPES.map(({ title }) => title), FINDING_TYPES.map(({ platform }) => platform)],
  );
}

/** Clients use these numbers, so the order matters. */
async function createDefaultZones(client: pg.ClientBase): Promise<void> {
  const insert = `
    insert into asset_group_tag
      (type, kind_id, name, description, position, require_certify, analysis_enabled, glyph, created_by, updated_by)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
    returning created_by, name, id`;
  const recorded = `
    with made as (${insert})
    insert into asset_group_history (actor, action, target, asset_group_tag_id)
    select created_by, 'CreateTag', name, id from made`;
  const tierZero = 'The objects that control whole environments.';
  const owned = 'Objects that an assessor controls.';
  const kind = async (name: string) => tagKind(client, name);
  await client.query(recorded, [
    ...[ZoneType.zone, await kind('Tier Zero'), 'Tier Zero', tierZero, 1, false, true, 'gem', SYSTEM_ACTOR],
  ]);
  await client.query(recorded, [
    ...[ZoneType.owned, await kind('Owned'), 'Owned', owned, null, null, null, 'skull', SYSTEM_ACTOR],
  ]);
}

/** @returns the number of the node kind for members of the zone; created if missing */
export async function tagKind(client: pg.ClientBase, tagName: string): Promise<number> {
  await client.query('lock table node_kind in share row exclusive mode');
  const { rows } = await client.query<{ id: number }>(
    `with made as (
       insert into node_kind (id, name)
       select greatest((select max(id) from node_kind), ${FIRST_CUSTOM_KIND - 1}) + 1, $1
       where not exists (select from node_kind where name = $1)
       returning id
     )
     select id from made union all select id from node_kind where name = $1`,
    [zoneKindName(tagName)],
  );
  return rows[0].id;
}

export function zoneKindName(tagName: string): string {
  return `Tag_${tagName.replaceAll(' ', '_')}`;
}
