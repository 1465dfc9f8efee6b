/** Saved queries that are asked with each generation: what each found last, and what of it is new or gone since. */
import type { Migration } from './migration.ts';

export const queryWatchesMigration: Migration = {
  name: '061-query-watches',
  sql: `
create table query_watch (
  query_id bigint primary key references saved_query on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  -- Of the last run, whether it worked or not.
  ran_at timestamptz,
  query_ms integer,
  query_error text,
  query_timed_out jsonb,
  query_warnings text[],
  -- Of the last run that worked: rows of another query, or of one who saw other environments, are no rows to compare with.
  found_at timestamptz,
  found_query text,
  found_environments text[],
  found_columns text[] not null default '{}',
  row_count integer not null default 0
);

create table query_watch_row (
  query_id bigint not null references query_watch on delete cascade,
  -- Of its values.
  digest bytea not null,
  cells jsonb not null,
  primary key (query_id, digest)
);

create table query_watch_change (
  id bigint generated always as identity primary key,
  query_id bigint not null references query_watch on delete cascade,
  changed_at timestamptz not null,
  is_new boolean not null,
  cells jsonb not null
);
create index query_watch_change_query on query_watch_change (query_id, changed_at desc, id);

-- One for each generation that changed a watch: the feed of changes and webhooks tell it, with the rows above.
create table query_watch_event (
  query_id bigint not null references query_watch on delete cascade,
  changed_at timestamptz not null,
  new_count integer not null,
  gone_count integer not null,
  environments text[],
  primary key (query_id, changed_at)
);
create index query_watch_event_changed on query_watch_event (changed_at);
`,
};
