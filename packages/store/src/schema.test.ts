import { FINDING_TYPES } from '@clew/analysis';
import { DEFAULT_SELECTORS } from '@clew/model';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDatabase } from '../test/index.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations/index.ts';

let database: Database;

beforeAll(async () => {
  database = await startTestDatabase();
});

afterAll(() => database.close());

describe('a fresh installation', () => {
  test('has Tier Zero as tag 1 and Owned as tag 2', async () => {
    const zones = await database.db.selectFrom('asset_group_tag').selectAll().orderBy('id').execute();
    expect(zones.map(({ id, type, name, position, glyph }) => [id, type, name, position, glyph])).toEqual([
      [1, 1, 'Tier Zero', 1, 'gem'],
      [2, 3, 'Owned', null, 'skull'],
    ]);
    const kinds = await database.db
      .selectFrom('node_kind')
      .select(['id', 'name'])
      .where(
        'id',
        'in',
        zones.map((zone) => zone.kind_id),
      )
      .orderBy('id')
      .execute();
    expect(kinds.map(({ name }) => name)).toEqual(['Tag_Tier_Zero', 'Tag_Owned']);
  });

  test('has all default rules of Tier Zero enabled, and every finding type', async () => {
    const rules = await database.db.selectFrom('asset_group_tag_selector').selectAll().execute();
    expect(rules.map((rule) => rule.default_key).sort()).toEqual(
      DEFAULT_SELECTORS.map(({ key }) => key).sort(),
    );
    for (const rule of rules)
      expect([rule.asset_group_tag_id, rule.is_default, rule.disabled_at]).toEqual([1, true, null]);
    const types = await database.db.selectFrom('finding_type').select('id').execute();
    expect(types).toHaveLength(FINDING_TYPES.length);
  });

  test('keeps changes by users when it starts again', async () => {
    const off = { disabled_at: '2026-01-01T00:00:00.000000Z', disabled_by: 'ann' };
    await database.db
      .updateTable('asset_group_tag_selector')
      .set(off)
      .where('default_key', '=', 'krbtgt')
      .execute();
    await migrate(database.pool);
    const rules = await database.db.selectFrom('asset_group_tag_selector').selectAll().execute();
    expect(rules).toHaveLength(DEFAULT_SELECTORS.length);
    expect(rules.find((rule) => rule.default_key === 'krbtgt')).toMatchObject(off);
  });

  test('is refused by an older service, with the name of the unknown migration', async () => {
    const older = MIGRATIONS.slice(0, -1);
    await expect(migrate(database.pool, older)).rejects.toThrow(
      `a newer Clew has changed this database (${MIGRATIONS.at(-1)?.name})`,
    );
  });
});
