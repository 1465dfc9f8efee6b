/**
 * Findings that another represents know which one that is, by number: its types alone lead from no part to its row. An acceptance knows the
 * row that it was given through. The plan notes after which card the severity of a finding is lower.
 */
import type { Migration } from './migration.ts';

export const findingRowsMigration: Migration = {
  name: '078-finding-rows',
  sql: `
alter table finding
  add column part_of_key text collate "C" not null default '',
  add column part_of_id integer,
  add column accepted_through integer,
  add column plan_lowered_card integer,
  add column plan_lowered_to smallint;

create index finding_part on finding (part_of_id) where part_of_id is not null and deleted_at is null;
create index finding_lost_part on finding (id) where part_of_id is null and part_of <> '' and deleted_at is null;
create index finding_accepted_through on finding (accepted_through) where accepted_through is not null;

-- The view stands for all columns of the table; whatever else it shows stays as it is.
do $$
declare definition text := pg_get_viewdef('finding_view');
begin
  drop view finding_view;
  execute 'create view finding_view as ' || regexp_replace(definition, '^\\s*SELECT ',
    'SELECT finding.part_of_key, finding.part_of_id, finding.accepted_through, '
    || 'finding.plan_lowered_card, finding.plan_lowered_to, '
    || 'array(select part.id from finding part where part.part_of_id = finding.id and part.deleted_at is null '
    || 'order by part.id) as part_ids, ');
end $$;
`,
};
