/** Kinds of relationships of which a job removed a large part from an environment; see `intake/src/ingest/merge/falls.ts`. */
import type { Migration } from './migration.ts';

export const relationshipFallsMigration: Migration = {
  name: '079-relationship-falls',
  sql: `
create table relationship_fall (
  job_id bigint not null references upload_job on delete cascade,
  environment_id text not null collate "C",
  kind_id smallint not null references edge_kind,
  removed_count integer not null,
  before_count integer not null,
  -- False: most of them went by files that do not say what their run collected.
  names_methods boolean not null,
  primary key (job_id, environment_id, kind_id)
);`,
};
