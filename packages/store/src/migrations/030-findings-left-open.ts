/** Why the plan does not close a finding. */
import type { Migration } from './migration.ts';

export const findingsLeftOpenMigration: Migration = {
  name: '030-findings-left-open',
  sql: `
alter table finding
  add column plan_open text collate "C",
  add column plan_open_users bigint;

create index finding_plan_open on finding (plan_open) where plan_open is not null;

-- The view stands for all columns of the table; whatever else it shows stays as it is.
do $$
declare definition text := pg_get_viewdef('finding_view');
begin
  drop view finding_view;
  execute 'create view finding_view as ' || regexp_replace(definition, '^\\s*SELECT ',
    'SELECT finding.plan_open, finding.plan_open_users, ');
end $$;
`,
};
