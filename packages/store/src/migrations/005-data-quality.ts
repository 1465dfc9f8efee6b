/** What each generation held of each environment. */
import type { Migration } from './migration.ts';

export const dataQualityMigration: Migration = {
  name: '005-data-quality',
  sql: `
create table data_quality (
  id bigint generated always as identity primary key,
  generation_id bigint not null,
  run_id uuid not null,
  created_at timestamptz not null,
  environment_id text collate "C" not null,
  environment_kind smallint not null,
  node_counts jsonb not null,
  edge_counts jsonb not null,
  relationships bigint not null,
  acls bigint not null,
  sessions bigint not null,
  active_computers integer not null,
  session_computers integer not null,
  group_computers integer not null,
  unique (generation_id, environment_id)
);
create index data_quality_series on data_quality (environment_id, created_at);
create index data_quality_kind_series on data_quality (environment_kind, created_at);

-- The counts by kind, one a row. Kinds are below 2^15, so numbers of rows never meet.
create view data_quality_metric as
select id * 65536 + metric.kind_id * 2 + metric.place as id, generation_id, run_id, created_at, environment_id,
       environment_kind, metric_type, metric.kind_id, metric_name, metric_value
from data_quality
cross join lateral (
  select 0 as place, 'node' as metric_type, node_kind.id as kind_id, node_kind.name as metric_name,
         value::bigint as metric_value
  from jsonb_each_text(node_counts) join node_kind on node_kind.id = key::smallint
  union all
  select 1, 'relationship', edge_kind.id, edge_kind.name, value::bigint
  from jsonb_each_text(edge_counts) join edge_kind on edge_kind.id = key::smallint
) as metric;
`,
};
