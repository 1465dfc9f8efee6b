/** Queries that people keep, and whom they show them to. */
import type { Migration } from './migration.ts';

export const savedQueriesMigration: Migration = {
  name: '019-saved-queries',
  sql: `
create table saved_query (
  id bigint generated always as identity primary key,
  user_id uuid not null references user_account on delete cascade,
  name text not null,
  query text not null,
  description text not null default '',
  is_public boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (user_id, name)
);

create table saved_query_share (
  id bigint generated always as identity primary key,
  query_id bigint not null references saved_query on delete cascade,
  user_id uuid not null references user_account on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  unique (query_id, user_id)
);
create index saved_query_share_user on saved_query_share (user_id);
`,
};
