/** Uploads as received, in chunks, and the report of each processed file. */
import type { Migration } from './migration.ts';

export const uploadsMigration: Migration = {
  name: '002-uploads',
  sql: `
create table upload_job (
  id bigint generated always as identity primary key,
  user_id uuid,
  user_email_address text not null default '',
  client_id text,
  status smallint not null,
  status_message text not null default '',
  start_time timestamptz not null default clock_timestamp(),
  end_time timestamptz not null default '0001-01-01T00:00:00Z',
  last_ingest timestamptz not null default clock_timestamp(),
  attempts smallint not null default 0,
  failures smallint not null default 0,
  total_files integer not null default 0,
  failed_files integer not null default 0,
  partial_files integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);
create index upload_job_unfinished on upload_job (status) where status in (1, 6, 7);

create table upload_file (
  id bigint generated always as identity primary key,
  job_id bigint not null references upload_job,
  name text not null,
  content_type text not null,
  size bigint not null default 0,
  sha256 bytea,
  received_at timestamptz not null default clock_timestamp(),
  complete boolean not null default false
);
create index upload_file_job on upload_file (job_id);

create table upload_chunk (
  file_id bigint not null references upload_file on delete cascade,
  number integer not null,
  bytes bytea storage external not null,
  primary key (file_id, number)
);

create table ingest_task (
  id bigint generated always as identity,
  job_id bigint not null references upload_job,
  number integer not null,
  file_name text not null,
  parent_file_name text not null,
  outcome text not null,
  errors text[] not null,
  report jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (job_id, number)
);
`,
};
