/** Views of lists that users keep: filters, order, groups and columns under a name. */
import type { Migration } from './migration.ts';

export const savedViewsMigration: Migration = {
  name: '068-saved-views',
  sql: `
create table saved_view (
  id bigint generated always as identity primary key,
  user_id uuid not null references user_account on delete cascade,
  page text not null,
  name text not null,
  -- Parameters of the page's address.
  query text not null,
  -- Titles of the columns that are shown; null for those that the page shows by itself.
  columns text[],
  -- Users who may look at the graph see it too; only its owner changes it.
  is_shared boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (user_id, page, name)
);
`,
};
