/** Files that users attach, templates of reasons, the evidence of an acceptance (its template and files), and evidence of started plans. */
import type { Migration } from './migration.ts';

export const acceptanceEvidenceMigration: Migration = {
  name: '097-acceptance-evidence',
  sql: `
create table attachment (
  id integer generated always as identity primary key,
  -- Null once the user is deleted.
  user_id uuid references user_account on delete set null,
  uploaded_by text not null,
  uploaded_at timestamptz not null default clock_timestamp(),
  name text not null,
  media_type text not null,
  byte_count integer not null,
  sha256 text not null,
  content bytea not null
);
create index attachment_user on attachment (user_id);
-- Files are compressed already, or read as a whole.
alter table attachment alter column content set storage external;

create table acceptance_template (
  id integer generated always as identity primary key,
  name text not null,
  reason text not null,
  -- Days until an acceptance ends; null without a default.
  days integer check (days between 1 and 3650),
  changed_by text not null,
  changed_at timestamptz not null default clock_timestamp()
);
create unique index acceptance_template_name on acceptance_template (lower(name));
create table acceptance_template_file (
  template_id integer not null references acceptance_template on delete cascade,
  attachment_id integer not null references attachment on delete cascade,
  primary key (template_id, attachment_id)
);
create index acceptance_template_file_attachment on acceptance_template_file (attachment_id);

create table evidence (
  id integer generated always as identity primary key,
  -- Name of the template at that time; null without one.
  template text,
  created_at timestamptz not null default clock_timestamp()
);
create table evidence_file (
  evidence_id integer not null references evidence on delete cascade,
  attachment_id integer not null references attachment on delete cascade,
  primary key (evidence_id, attachment_id)
);
create index evidence_file_attachment on evidence_file (attachment_id);

-- Transcripts and backups of kits, as evidence of changes of a started plan.
create table plan_evidence (
  id integer generated always as identity primary key,
  plan_id bigint not null references saved_plan on delete cascade,
  attachment_id integer not null references attachment on delete cascade,
  kind text not null check (kind in ('transcript', 'backup')),
  -- What the file says about each change of the plan.
  claims jsonb not null,
  added_by text not null,
  added_at timestamptz not null default clock_timestamp(),
  unique (plan_id, attachment_id)
);
create index plan_evidence_attachment on plan_evidence (attachment_id);

alter table acceptance_request add column evidence_id integer;
create index acceptance_request_evidence on acceptance_request (evidence_id) where evidence_id is not null;
-- The evidence of its last acceptance; null without one.
alter table finding add column accepted_evidence integer;
create index finding_accepted_evidence on finding (accepted_evidence) where accepted_evidence is not null;

-- The view stands for all columns of the table; whatever else it shows stays as it is.
do $$
declare definition text := pg_get_viewdef('finding_view');
begin
  drop view finding_view;
  execute 'create view finding_view as ' || regexp_replace(definition, '^\\s*SELECT ', 'SELECT finding.accepted_evidence, ');
end $$;
`,
};
