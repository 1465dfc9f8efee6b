/** Records of zones and labels for answers. */
import type { AssetGroupTag } from '@clew/api';
import type { Db } from '@clew/store';

/** @returns existing zones, by id */
export async function zoneRecords(db: Db): Promise<ReadonlyMap<number, AssetGroupTag>> {
  const rows = await db
    .selectFrom('asset_group_tag')
    .select(['id', 'type', 'kind_id', 'name', 'description', 'created_at', 'created_by', 'updated_at'])
    .select(['updated_by', 'position', 'require_certify', 'analysis_enabled', 'glyph'])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
