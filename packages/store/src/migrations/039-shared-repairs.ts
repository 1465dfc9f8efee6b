/** What one change closes beside others: findings that the plan leaves open are listed by it. */
import type { Migration } from './migration.ts';

export const sharedRepairsMigration: Migration = {
  name: '039-shared-repairs',
  sql: `
alter table finding add column plan_repair text collate "C";

create index finding_plan_repair on finding (plan_repair) where plan_repair is not null;

-- The view stands for all columns of the table; whatever else it shows stays as it is.
do $$
declare definition text := pg_get_viewdef('finding_view');
begin
  drop view finding_view;
  execute 'create view finding_view as ' || regexp_replace(definition, '^\\s*SELECT ', 'SELECT finding.plan_repair, ');
end $$;
`,
};
