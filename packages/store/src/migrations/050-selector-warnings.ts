/** Selectors that query: why the query of one selected nothing. */
import type { Migration } from './migration.ts';

export const selectorWarningsMigration: Migration = {
  name: '050-selector-warnings',
  sql: `alter table asset_group_tag_selector add column query_warnings text[];`,
};
