/** How long the queries of selectors take, which one an analysis waits for, and which ones ran out of time. */
import type { Migration } from './migration.ts';

export const selectorTimesMigration: Migration = {
  name: '037-selector-times',
  sql: `
alter table asset_group_tag_selector
  add column query_ms integer,
  add column query_started_at timestamptz,
  -- Edges of the graph and digest of the queries with which it ran out of time.
  add column query_timed_out jsonb;
`,
};
