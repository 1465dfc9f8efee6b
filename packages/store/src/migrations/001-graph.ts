/** Facts: nodes, edge sets, samples, and the registries of names behind their numbers. */
import type { Migration } from './migration.ts';

export const graphMigration: Migration = {
  name: '001-graph',
  sql: `
-- Rows are never deleted: workers and graphs remember the numbers.
create table object_id (
  id integer generated always as identity primary key,
  object_id text collate "C" not null unique
);

create table node_kind (id smallint primary key, name text collate "C" not null unique);
create table edge_kind (id smallint primary key, name text collate "C" not null unique);
create table source (
  id smallint generated always as identity primary key,
  name text collate "C" not null unique
);

create table node (
  id integer primary key,
  kinds smallint[] not null,
  derived_kinds smallint[] not null default '{}',
  environment_id integer,
  properties jsonb not null,
  name text generated always as (properties ->> 'name') stored,
  described boolean not null,
  derived boolean not null default false,
  first_seen timestamptz not null,
  deleted_at timestamptz
);

create table sighting (
  node_id integer not null,
  source_id smallint not null,
  last_seen timestamptz not null,
  last_collected timestamptz,
  aspects bigint not null default 0,
  primary key (node_id, source_id)
) with (fillfactor = 80);

-- Stored as it is when it outgrows its row: arrays of numbers are read whole and compress badly.
create table edge_set (
  owner_id integer not null,
  aspect smallint not null,
  source_id smallint not null,
  start_ids integer[] storage external not null,
  kind_ids smallint[] storage external not null,
  end_ids integer[] storage external not null,
  flags smallint[] storage external not null,
  properties jsonb,
  first_seen timestamptz not null,
  collected_at timestamptz not null,
  primary key (owner_id, aspect, source_id)
);

create table sample_edge (
  start_id integer not null,
  kind_id smallint not null,
  end_id integer not null,
  source_id smallint not null,
  owner_id integer not null,
  flags smallint not null,
  properties jsonb,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  primary key (start_id, kind_id, end_id, source_id)
);

create table observation (
  sha256 bytea primary key,
  observed_at timestamptz not null
);

create table generation (
  id bigint generated always as identity primary key,
  facts_version bigint not null,
  published_at timestamptz not null default clock_timestamp(),
  node_count bigint not null,
  edge_count bigint not null,
  report jsonb not null
);

-- Folds objects in order: the last value of a key holds, null too.
create aggregate jsonb_merge (jsonb) (sfunc = jsonb_concat, stype = jsonb, initcond = '{}');

-- Counts the merges that changed facts, so that it is known whether a generation is up to date.
create table facts_state (version bigint not null);
insert into facts_state values (0);

create table setting (key text primary key, value jsonb not null);

-- The edges, one a row, for people who ask in SQL.
create view edge as
select start_node.object_id as start_id, edge_kind.name as kind, end_node.object_id as end_id,
       all_edges.flags, source.name as source, owner.object_id as owner_id, all_edges.aspect, all_edges.seen_at
from (
  select edge_set.owner_id, edge_set.aspect, edge_set.source_id, edge_set.collected_at as seen_at,
         edges.start_id, edges.kind_id, edges.end_id, edges.flags
  from edge_set
  cross join lateral unnest(start_ids, kind_ids, end_ids, edge_set.flags)
    as edges (start_id, kind_id, end_id, flags)
  union all
  select owner_id, null, source_id, last_seen, start_id, kind_id, end_id, flags from sample_edge
) as all_edges
join object_id start_node on start_node.id = all_edges.start_id
join object_id end_node on end_node.id = all_edges.end_id
join object_id owner on owner.id = all_edges.owner_id
join edge_kind on edge_kind.id = all_edges.kind_id
join source on source.id = all_edges.source_id;
`,
};
