/** Edges of payloads that name an end by properties which no object has yet: kept until it comes. */
import type { Migration } from './migration.ts';

export const waitingEdgesMigration: Migration = {
  name: '064-waiting-edges',
  sql: `
create table waiting_edge (
  id bigint generated always as identity primary key,
  -- Digest of source, kind and both ends: what is said again is the same edge.
  key uuid not null unique,
  source_id smallint not null references source,
  aspect smallint not null,
  kind_id smallint not null references edge_kind,
  flags smallint not null,
  properties jsonb,
  -- Absent where both ends are named by properties.
  owner_id integer,
  start_id integer,
  start_matcher jsonb,
  end_id integer,
  end_matcher jsonb,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  by_schedule boolean not null,
  -- More than one object came that fits: nothing is guessed.
  is_ambiguous boolean not null default false
);
create index waiting_edge_source on waiting_edge (source_id, kind_id);
`,
};
