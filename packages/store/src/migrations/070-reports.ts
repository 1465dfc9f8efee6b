/** Reports that users keep, and what was made of each. */
import type { Migration } from './migration.ts';

export const reportsMigration: Migration = {
  name: '070-reports',
  sql: `
create table report (
  id bigint generated always as identity primary key,
  -- Null once the user was deleted: nothing is made of it any more.
  user_id uuid references user_account on delete set null,
  owner_name text not null,
  name text not null,
  audience text not null,
  zone integer not null,
  -- Object id of the one environment; null for all.
  environment text,
  days integer not null,
  masked boolean not null,
  schedule text not null,
  next_at timestamptz,
  -- Why it ended.
  ended text,
  -- Environments that its owner might see when it was last made; null for all.
  environments jsonb,
  created_at timestamptz not null default clock_timestamp()
);
create index report_next on report (next_at) where next_at is not null;
create index report_user on report (user_id);
create table report_issue (
  id bigint generated always as identity primary key,
  report_id bigint not null references report on delete cascade,
  made_at timestamptz not null default clock_timestamp(),
  generation integer not null,
  environments jsonb,
  content jsonb not null
);
create index report_issue_report on report_issue (report_id, id);
`,
};
