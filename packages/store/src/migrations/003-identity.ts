/** Who may do what: users, passwords, sessions, API tokens, signatures that were seen, the audit log. */
import type { Migration } from './migration.ts';

export const identityMigration: Migration = {
  name: '003-identity',
  sql: `
create table user_account (
  id uuid primary key,
  principal_name text not null,
  email_address text,
  first_name text,
  last_name text,
  role_id smallint not null,
  is_disabled boolean not null default false,
  eula_accepted boolean not null default true,
  environments text[],
  sso_provider_id integer,
  last_login timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create unique index user_account_principal_name on user_account (lower(principal_name));
create unique index user_account_email_address on user_account (lower(email_address));

create table auth_secret (
  id integer generated always as identity primary key,
  user_id uuid not null unique references user_account on delete cascade,
  digest text not null,
  digest_method text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);

create table user_session (
  id bigint generated always as identity primary key,
  user_id uuid not null references user_account on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index user_session_user on user_session (user_id);

create table auth_token (
  id uuid primary key,
  user_id uuid references user_account on delete cascade,
  client_id uuid,
  name text,
  sealed_key bytea not null,
  hmac_method text not null,
  last_access timestamptz,
  created_by uuid,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  check (num_nonnulls(user_id, client_id) = 1)
);
create index auth_token_user on auth_token (user_id);

create table seen_signature (
  digest bytea primary key,
  first_seen timestamptz not null
);
create index seen_signature_age on seen_signature using brin (first_seen);

create table audit_log (
  id bigint generated always as identity primary key,
  created_at timestamptz not null default clock_timestamp(),
  actor_id uuid,
  actor_name text not null,
  actor_email text,
  action text not null,
  fields jsonb not null,
  request_id uuid,
  source_ip_address text not null,
  status text not null check (status in ('intent', 'success', 'failure')),
  commit_id uuid not null
);
create index audit_log_created_at on audit_log (created_at);
`,
};
