/** Assistants that users sign in to by browser: the clients that registered, what users granted them, and digests of their tokens. */
import type { Migration } from './migration.ts';

export const assistantsMigration: Migration = {
  name: '090-assistants',
  sql: `
create table oauth_client (
  id uuid primary key,
  name text not null,
  redirect_uris text[] not null,
  client_address text not null,
  created_at timestamptz not null
);
create index oauth_client_created_at on oauth_client (created_at);

create table oauth_grant (
  id bigint generated always as identity primary key,
  client_id uuid not null references oauth_client on delete cascade,
  user_id uuid not null references user_account on delete cascade,
  redirect_uri text not null,
  code_challenge text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index oauth_grant_client_id on oauth_grant (client_id);
create index oauth_grant_user_id on oauth_grant (user_id);

create table oauth_token (
  digest bytea primary key,
  grant_id bigint not null references oauth_grant on delete cascade,
  kind text not null check (kind in ('code', 'access', 'refresh')),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index oauth_token_grant_id on oauth_token (grant_id);
`,
};
