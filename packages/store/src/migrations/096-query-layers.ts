/** Layers: what the queries of one user changed over the graph, for this user alone. */
import type { Migration } from './migration.ts';

export const queryLayersMigration: Migration = {
  name: '096-query-layers',
  sql: `
create table query_layer (
  id bigint generated always as identity primary key,
  user_id uuid not null references user_account on delete cascade,
  name text not null,
  version integer not null,
  changes bytea not null,
  change_count integer not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  ends_at timestamptz not null,
  unique (user_id, name)
);
create index query_layer_ends_at on query_layer (ends_at);
`,
};
