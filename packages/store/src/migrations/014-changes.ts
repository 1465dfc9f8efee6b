/** Changes of findings in the order of their publication, and those who are told of them. */
import type { Migration } from './migration.ts';

export const changesMigration: Migration = {
  name: '014-changes',
  sql: `
create index finding_changed on finding (updated_at, id);

create table webhook (
  id uuid primary key,
  name text not null,
  url text not null,
  -- Sealed; the one before it signs, too, until it ends.
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamptz,
  event_types text[] not null,
  -- Object ids; null for all.
  environments text[],
  minimum_severity smallint not null default 0,
  -- 0..1: an environment that is exposed more is told of; null for never.
  exposure_threshold double precision,
  enabled boolean not null default true,
  -- Why the service switched it off.
  disabled_reason text not null default '',
  -- Place in the feed of changes, and instants up to which posture and jobs were looked at.
  feed_instant timestamptz not null,
  feed_id integer not null,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);

create table webhook_delivery (
  id uuid primary key,
  webhook_id uuid not null references webhook on delete cascade,
  -- The same thing is told once.
  cause text not null,
  event_type text not null,
  body text not null,
  status text not null default 'waiting' check (status in ('waiting', 'delivered', 'dead')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default clock_timestamp(),
  last_status integer,
  last_error text not null default '',
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  unique (webhook_id, cause)
);
create index webhook_delivery_due on webhook_delivery (next_attempt_at) where status = 'waiting';
create index webhook_delivery_list on webhook_delivery (webhook_id, created_at desc, id);
`,
};
