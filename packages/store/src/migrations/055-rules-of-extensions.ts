/** Rules of zones that come with the definition of another platform, and go with it. */
import type { Migration } from './migration.ts';

export const rulesOfExtensionsMigration: Migration = {
  name: '055-rules-of-extensions',
  sql: `
alter table asset_group_tag_selector add column extension_id integer references extension;
create index asset_group_tag_selector_extension on asset_group_tag_selector (extension_id) where extension_id is not null;
`,
};
