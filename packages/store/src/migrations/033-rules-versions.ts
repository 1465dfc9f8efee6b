/**
 * Which rules a generation and its findings were made by, and why a finding began, changed or ended: what other rules see in
 * the same facts is told apart from what changed in the organization. Rule: `docs/history.md#data-or-rules`.
 */
import type { Migration } from './migration.ts';

export const rulesVersionsMigration: Migration = {
  name: '033-rules-versions',
  sql: `
-- Versions of the facts at which data came last, and at which facts that were known were last read by other readers.
alter table facts_state
  add column data_version bigint not null default 0,
  add column reread_version bigint not null default 0;
update facts_state set data_version = version;

-- What other readers than those of this release read last: objects of a source, an environment (0 for none) and kinds.
create table stale_reading (
  source_id smallint not null,
  environment_id integer not null,
  kinds smallint[] not null,
  primary key (source_id, environment_id, kinds)
);

alter table generation
  add column rules_version text not null default '',
  add column cause text not null default 'data';

alter table finding
  add column began_by text not null default 'data',
  add column changed_by text not null default 'data',
  add column rules_version text not null default '';

-- The view stands for all columns of the table; whatever else it shows stays as it is.
do $$
declare definition text := pg_get_viewdef('finding_view');
begin
  drop view finding_view;
  execute 'create view finding_view as ' || regexp_replace(
    definition, '^\\s*SELECT ', 'SELECT finding.began_by, finding.changed_by, finding.rules_version, ');
end $$;
`,
};
