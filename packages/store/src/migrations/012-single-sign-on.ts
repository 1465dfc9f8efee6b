/** Providers of single sign-on, sign-ins that are under way, and answers that were used. */
import type { Migration } from './migration.ts';

export const singleSignOnMigration: Migration = {
  name: '012-single-sign-on',
  sql: `
create table sso_provider (
  id integer generated always as identity primary key,
  name text not null,
  slug text not null unique,
  type text not null check (type in ('SAML', 'OIDC')),
  -- Users that are not known yet are made at their first sign-in.
  auto_provision boolean not null,
  default_role_id smallint not null,
  -- Claims of the provider decide about the role, at each sign-in.
  role_provision boolean not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create unique index sso_provider_name on sso_provider (lower(name));

create table saml_provider (
  id integer generated always as identity primary key,
  sso_provider_id integer not null unique references sso_provider on delete cascade,
  metadata text not null,
  idp_issuer_uri text not null,
  idp_sso_uri text not null,
  principal_attribute_mappings text[] not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);

create table oidc_provider (
  id integer generated always as identity primary key,
  sso_provider_id integer not null unique references sso_provider on delete cascade,
  client_id text not null,
  issuer text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);

-- What was sent to a provider, and has to come back: each is good once.
create table sso_attempt (
  id text primary key,
  sso_provider_id integer not null references sso_provider on delete cascade,
  -- Nonce and PKCE verifier of OIDC.
  secrets jsonb not null default '{}',
  expires_at timestamptz not null
);
create index sso_attempt_expiry on sso_attempt (expires_at);

-- Assertions that were accepted, until they would not be accepted for their age.
create table used_assertion (
  digest bytea primary key,
  expires_at timestamptz not null
);
create index used_assertion_expiry on used_assertion (expires_at);

alter table user_account add foreign key (sso_provider_id) references sso_provider on delete set null;
`,
};
