/** Acceptances that wait for a second approver, with their findings. An acceptance knows who approved it. */
import type { Migration } from './migration.ts';

export const acceptanceRequestsMigration: Migration = {
  name: '094-acceptance-requests',
  sql: `
create table acceptance_request (
  id integer generated always as identity primary key,
  -- Null once the user is deleted.
  user_id uuid references user_account on delete set null,
  requested_by text not null,
  requested_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  -- Null without an end.
  accept_until timestamptz,
  reason text not null,
  leave_out_of_plan boolean not null,
  -- The findings of the request, also after a decision deletes their rows: number, the 100 most severe, title of the first, environments.
  finding_count integer not null,
  finding_ids integer[] not null,
  title text not null,
  environments text[] not null,
  -- Environments that the user who asked saw; null for all.
  seen_environments text[],
  state text not null default 'waiting' check (state in ('waiting', 'approved', 'refused', 'withdrawn', 'expired', 'closed')),
  -- Findings that the approval accepted so far, and those that it left as they are.
  accepted_count integer not null default 0,
  skipped_count integer not null default 0,
  -- The change of many findings that undoes the approval.
  bulk_change_id integer references bulk_change on delete set null,
  decided_by text,
  decided_at timestamptz,
  note text not null default ''
);
create index acceptance_request_waiting on acceptance_request (expires_at) where state = 'waiting';
create index acceptance_request_user on acceptance_request (user_id, id);

-- Findings of waiting requests.
create table acceptance_request_finding (
  request_id integer not null references acceptance_request on delete cascade,
  finding_id integer not null references finding on delete cascade,
  -- The acceptance of the finding when the request was made; null without one.
  acceptance jsonb,
  -- Null until an approval comes to the finding; false if it left the finding as it was.
  is_accepted boolean,
  primary key (request_id, finding_id)
);
create index acceptance_request_finding_id on acceptance_request_finding (finding_id);

-- The second approver of the last acceptance; null without one.
alter table finding add column approved_by text;

-- The view stands for all columns of the table; whatever else it shows stays as it is.
do $$
declare definition text := pg_get_viewdef('finding_view');
begin
  drop view finding_view;
  execute 'create view finding_view as ' || regexp_replace(definition, '^\\s*SELECT ', 'SELECT finding.approved_by, ');
end $$;
`,
};
