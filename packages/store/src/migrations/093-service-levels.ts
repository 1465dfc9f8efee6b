/**
 * Service levels: days by severity, from which open findings have a due day, and repairs of started plans the earliest of the findings that
 * they close. Days count from the opening of a finding, the end of its last acceptance, or the first day of the service levels, whichever
 * is latest.
 */
import type { Migration } from './migration.ts';

const TODAY = `to_char(statement_timestamp() at time zone ''UTC'', ''YYYY-MM-DD'')`;

export const serviceLevelsMigration: Migration = {
  name: '093-service-levels',
  sql: `
create table service_level (
  severity smallint primary key check (severity between 0 and 3),
  days integer not null check (days between 1 and 3650),
  -- Days of findings that were open earlier count from here.
  since date not null
);

-- When its last acceptance ended; null for a finding that was never accepted.
alter table finding add column due_from timestamptz;

-- Overdue findings that events reported: a changed service level or severity may move a due day into the past.
create table overdue_finding (
  finding_id integer primary key references finding on delete cascade,
  -- The end of the due day, or the last time at which the finding was not yet overdue.
  since timestamptz not null,
  noticed_at timestamptz not null
);
create index overdue_finding_noticed on overdue_finding (noticed_at);

-- Overdue findings noticed until then were reported to the webhook.
alter table webhook add column overdue_at timestamptz;

-- The findings that a repair of a plan closed when the plan was started, by subject: one that is found again is a new row.
create table plan_finding (
  plan_id bigint not null references saved_plan on delete cascade,
  -- Its place in the plan, from 1.
  repair integer not null,
  environment_id text collate "C" not null,
  tag_id integer not null,
  finding text collate "C" not null,
  source_id text collate "C" not null,
  target_id text collate "C" not null,
  primary key (plan_id, repair, environment_id, tag_id, finding, source_id, target_id)
);

-- The view stands for all columns of the table; whatever else it shows stays as it is.
do $$
declare
  definition text := pg_get_viewdef('finding_view');
  due text := 'case when finding.deleted_at is null
      and not (finding.status = ''accepted'' and finding.accepted_until > statement_timestamp()) then
    to_char(((greatest(coalesce(finding.accepted_until, finding.due_from, finding.created_at),
      service_level.since::timestamp at time zone ''UTC'') at time zone ''UTC'')::date + service_level.days)::timestamp, ''YYYY-MM-DD'') end';
begin
  drop view finding_view;
  execute 'create view finding_view as ' || regexp_replace(regexp_replace(
    definition, '^\\s*SELECT ',
    'SELECT finding.due_from, ' || due || ' as due, coalesce(' || due || ' < ${TODAY}, false) as is_overdue, '),
    ';\\s*$', ' left join service_level on service_level.severity = finding.severity');
end $$;
`,
};
