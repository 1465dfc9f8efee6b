/** Selectors that query: why the query of one no longer works. */
import type { Migration } from './migration.ts';

export const selectorQueriesMigration: Migration = {
  name: '020-selector-queries',
  sql: `alter table asset_group_tag_selector add column query_error text;`,
};
