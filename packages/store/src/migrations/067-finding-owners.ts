/** Who works on a finding. A table of its own: assigning thousands writes small rows, and a deleted user owns nothing. */
import type { Migration } from './migration.ts';

export const findingOwnersMigration: Migration = {
  name: '067-finding-owners',
  sql: `
create table finding_owner (
  finding_id integer primary key references finding on delete cascade,
  user_id uuid not null references user_account on delete cascade,
  assigned_at timestamptz not null default clock_timestamp(),
  assigned_by text not null
);
create index finding_owner_user on finding_owner (user_id, finding_id);

-- The view stands for all columns of the table; whatever else it shows stays as it is.
do $$
declare definition text := pg_get_viewdef('finding_view');
begin
  drop view finding_view;
  execute 'create view finding_view as ' || regexp_replace(regexp_replace(
    definition, '^\\s*SELECT ',
    'SELECT finding_owner.user_id as owner_id, owner.principal_name as owner_name, finding_owner.assigned_at, finding_owner.assigned_by, '),
    ';\\s*$',
    ' left join finding_owner on finding_owner.finding_id = finding.id left join user_account owner on owner.id = finding_owner.user_id');
end $$;
`,
};
