/**
 * Views of administrators as another user. They refer to users, sessions and tokens without foreign keys, because the end of a view is
 * recorded after these are deleted.
 */
import type { Migration } from './migration.ts';

export const viewAsMigration: Migration = {
  name: '091-view-as',
  sql: `
create table view_as (
  id uuid primary key,
  viewer_id uuid not null,
  viewer_name text not null,
  viewer_email text,
  session_id bigint,
  token_id uuid,
  user_id uuid not null,
  user_name text not null,
  client_address text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  check ((session_id is null) <> (token_id is null))
);
create index view_as_running on view_as (viewer_id, created_at) where ended_at is null;
`,
};
