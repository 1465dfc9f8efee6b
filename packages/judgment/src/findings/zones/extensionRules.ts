/** Updates the zone rules of an extension to its definition. */
import type { Actor } from '@clew/common';
import type { Db, StoredZoneRule } from '@clew/store';
import { sql } from 'kysely';
import { writeSeeds } from './selectors.ts';
import { SeedType } from './storedZones.ts';
import { actorName, recordZoneChange, type ZoneAction } from './zoneHistory.ts';

/**
 * A rule is identified by zone and name; if a user switched it off, it stays off.
 * @param db in the transaction that installs or removes the definition
 * @param rules empty when the definition is removed
 */
export async function syncExtensionRules(
  db: Db,
  actor: Actor,
  extension: number,
  rules: readonly StoredZoneRule[],
): Promise<void> {
  const zones = await db
    .selectFrom('asset_group_tag')
    .select(['id', 'name'])
    .where('deleted_at', 'is', null)
    .execute();
  const zoneOf = new Map(zones.map(({ id, name }) => [name.toLowerCase(), id]));
  const wanted = new Map(
    rules.map((rule) => {
      const zone = zoneOf.get(rule.zone.toLowerCase()) as number;
      return [`${zone} ${rule.name}`, { ...rule, zone }] as const;
    }),
  );
  const stored = await db
    .selectFrom('asset_group_tag_selector as rule')
    .innerJoin('asset_group_tag_selector_seed as seed', 'seed.selector_id', 'rule.id')
    .select(['rule.id', 'asset_group_tag_id as zone', 'name', 'description', 'allow_disable', 'value'])
    .where('extension_id', '=', extension)
    .execute();
  const note = (action: ZoneAction, { zone, name }: { readonly zone: number; readonly name: string }) =>
    recordZoneChange(db, actor, { action, target: name, zone });
  const by = actorName(actor);
  for (const rule of stored) {
    const now = wanted.get(`${rule.zone} ${rule.name}`);
    if (now === undefined) {
      await db.deleteFrom('asset_group_tag_selector').where('id', '=', rule.id).execute();
      await note('DeleteSelector', rule);
      continue;
    }
    wanted.delete(`${rule.zone} ${rule.name}`);
    const { description, allow_disable, cypher } = now;
    if (description === rule.description && allow_disable === rule.allow_disable && cypher === rule.value)
      continue;
    await db
      .updateTable('asset_group_tag_selector')
      .set({ description, allow_disable, updated_by: by, updated_at: sql<string>`clock_timestamp()` })
      .where('id', '=', rule.id)
      .execute();
    await writeSeeds(db, rule.id, [{ type: SeedType.query, value: cypher }]);
    await note('UpdateSelector', rule);
  }
  for (const { name, zone, description, allow_disable, enabled, cypher } of wanted.values()) {
    const { id } = await db
      .insertInto('asset_group_tag_selector')
      .values({
        ...{ name, description, allow_disable, asset_group_tag_id: zone, extension_id: extension },
        ...{ created_by: by, updated_by: by },
        ...(enabled ? {} : { disabled_at: sql<string>`clock_timestamp()`, disabled_by: by }),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await writeSeeds(db, id, [{ type: SeedType.query, value: cypher }]);
    await note('CreateSelector', { zone, name });
  }
}
