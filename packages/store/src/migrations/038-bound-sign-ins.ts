/** Sign-ins that are bound to who the provider says it is, and one count of all checks of secrets. */
import type { Migration } from './migration.ts';

export const boundSignInsMigration: Migration = {
  name: '038-bound-sign-ins',
  sql: `
-- Answers that no request asked for are taken from providers that say so.
alter table saml_provider add column allows_unsolicited boolean not null default false;
-- Tenants that may sign in, where the provider has many.
alter table oidc_provider add column tenants text[] not null default '{}';

-- Who the provider says the user is; null before the first sign-in through it.
alter table user_account
  add column sso_issuer text,
  add column sso_subject text;
create unique index user_account_sso_subject on user_account (sso_provider_id, sso_issuer, sso_subject);

drop index audit_log_login;
create index audit_log_secret on audit_log (lower(fields ->> 'username'), created_at)
  where action in ('LoginAttempt', 'VerifySecret');
`,
};
