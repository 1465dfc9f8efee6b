/** Drawings of Explore that users keep: what was drawn, and where it stood. */
import type { Migration } from './migration.ts';

export const savedDrawingsMigration: Migration = {
  name: '062-saved-drawings',
  sql: `
create table saved_drawing (
  id bigint generated always as identity primary key,
  user_id uuid not null references user_account on delete cascade,
  name text not null,
  description text not null default '',
  -- Users who may look at the graph see it too; only its owner changes it.
  is_shared boolean not null default false,
  -- Parameters of the page's address.
  address text not null,
  objects jsonb not null,
  relationships jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (user_id, name)
);
`,
};
