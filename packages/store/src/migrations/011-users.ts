/** Second factors, where sessions come from, and what failed sign-ins are counted by. */
import type { Migration } from './migration.ts';

export const usersMigration: Migration = {
  name: '011-users',
  sql: `
alter table auth_secret
  add column sealed_totp bytea,
  add column totp_activated boolean not null default false,
  -- A one time password is good once: the last 30 seconds that one was used for.
  add column totp_step bigint,
  add check (not totp_activated or sealed_totp is not null);

create table recovery_code (
  user_id uuid not null references user_account on delete cascade,
  digest bytea not null,
  primary key (user_id, digest)
);

alter table user_session
  add column client_address text not null default '',
  add column user_agent text not null default '',
  add column login_method text not null default 'secret';

-- Null for tokens that do not expire.
alter table auth_token add column expires_at timestamptz;

create index audit_log_login on audit_log (lower(fields ->> 'username'), created_at)
  where action = 'LoginAttempt';
`,
};
