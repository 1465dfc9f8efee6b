/** The tag of an asset group as its maker gave it. */
import type { Migration } from './migration.ts';

export const groupTagMigration: Migration = {
  name: '009-group-tag',
  sql: `
alter table asset_group_tag add column group_tag text;
`,
};
