/** What the change does that closes a finding beside others: findings by repair name it. */
import type { Migration } from './migration.ts';

export const repairTitlesMigration: Migration = {
  name: '056-repair-titles',
  sql: `
alter table finding add column plan_repair_title text;

-- The view stands for all columns of the table; whatever else it shows stays as it is.
do $$
declare definition text := pg_get_viewdef('finding_view');
begin
  drop view finding_view;
  execute 'create view finding_view as ' || regexp_replace(definition, '^\\s*SELECT ', 'SELECT finding.plan_repair_title, ');
end $$;
`,
};
