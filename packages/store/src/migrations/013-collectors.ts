/** Collector clients, their schedules and jobs, and what is known of each run. */
import type { Migration } from './migration.ts';

const SCOPE = `
  session_collection boolean not null default false,
  local_group_collection boolean not null default false,
  ad_structure_collection boolean not null default false,
  cert_services_collection boolean not null default false,
  ca_registry_collection boolean not null default false,
  dc_registry_collection boolean not null default false,
  all_trusted_domains boolean not null default false,
  ous text[] not null default '{}',
  domains text[] not null default '{}'`;

export const collectorsMigration: Migration = {
  name: '013-collectors',
  sql: `
create table collector_client (
  id uuid primary key,
  name text not null,
  type text not null check (type in ('sharphound', 'azurehound', 'openhound')),
  domain_controller text,
  -- What the collector says of itself.
  ip_address text not null default '',
  hostname text not null default '',
  configured_user text not null default '',
  version text not null default '',
  user_sid text,
  last_checkin timestamptz not null default '0001-01-01T00:00:00Z',
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);

delete from auth_token where client_id is not null;
alter table auth_token
  add foreign key (client_id) references collector_client on delete cascade,
  add unique (client_id);

create table collection_event (
  id integer generated always as identity primary key,
  client_id uuid not null references collector_client on delete cascade,
  rrule text not null,
  -- Null when the rule has no further run.
  next_scheduled_at timestamptz,${SCOPE},
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index collection_event_client on collection_event (client_id);
create index collection_event_next on collection_event (next_scheduled_at);

create table collector_job (
  id integer generated always as identity primary key,
  -- Null when the client was removed.
  client_id uuid references collector_client on delete set null,
  client_name text not null,
  event_id integer references collection_event on delete set null,
  event_title text not null default '',
  status smallint not null default 0,
  status_message text not null default '',
  execution_time timestamptz not null,
  start_time timestamptz not null default '0001-01-01T00:00:00Z',
  end_time timestamptz not null default '0001-01-01T00:00:00Z',
  last_ingest timestamptz not null default '0001-01-01T00:00:00Z',
  -- Takes the batches, from the start of the run.
  upload_job_id bigint references upload_job on delete set null,
  refused_batches integer not null default 0,
  log_bytes integer not null default 0,
  -- Lines for which the log has no room.
  dropped_lines integer not null default 0,
  domain_controller text not null default '',${SCOPE},
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index collector_job_client on collector_job (client_id, start_time);
create index collector_job_upload on collector_job (upload_job_id);
-- A client does one job at a time, and an event waits for one run.
create unique index collector_job_running on collector_job (client_id) where status = 1;
create unique index collector_job_ready on collector_job (event_id) where status = 0;

create table collector_job_result (
  id integer generated always as identity primary key,
  job_id integer not null references collector_job on delete cascade,
  domain_name text not null,
  success boolean not null,
  message text not null,
  -- Numbers of objects by name of the count.
  counts jsonb not null,
  created_at timestamptz not null default clock_timestamp()
);
create index collector_job_result_job on collector_job_result (job_id);

create table collector_job_line (
  id bigint generated always as identity primary key,
  job_id integer not null references collector_job on delete cascade,
  at timestamptz not null default clock_timestamp(),
  -- Of the collector's own words, not the service's.
  by_collector boolean not null,
  text text not null
);
create index collector_job_line_job on collector_job_line (job_id, id);

-- A collector's; one that was sent again is no second one.
alter table upload_file add column batch boolean not null default false;
create unique index upload_file_batch on upload_file (job_id, sha256) where batch;

-- A run that handed over its data is in the status of its ingest; that of one whose ingest was cleared away is over.
create view collector_job_view as
select job.id, job.client_id, job.client_name, job.event_id, job.event_title, job.execution_time, job.start_time,
  job.upload_job_id, job.refused_batches, job.domain_controller, job.session_collection, job.local_group_collection,
  job.ad_structure_collection, job.cert_services_collection, job.ca_registry_collection, job.dc_registry_collection,
  job.all_trusted_domains, job.ous, job.domains, job.created_at, job.last_ingest,
  case when job.status <> 6 then job.status
    when upload.status = 2 and job.refused_batches > 0 then 8
    else coalesce(upload.status, 2) end as status,
  case when job.status <> 6 then job.status_message
    when upload.status = 2 and job.refused_batches > 0 then job.refused_batches || ' batch(es) were refused'
    -- What the collector said, unless ingest has more to say.
    when job.status_message <> '' and upload.status in (2, 6) and upload.status_message in ('', 'Complete')
      then job.status_message
    else coalesce(upload.status_message, job.status_message) end as status_message,
  case when job.status = 6 then coalesce(upload.end_time, job.end_time) else job.end_time end as end_time,
  case when job.status = 6 then greatest(job.updated_at, upload.updated_at) else job.updated_at end as updated_at
from collector_job job left join upload_job upload on upload.id = job.upload_job_id;

create view collector_client_view as
select client.*, current.id as current_job_id, (
    select count(*)::integer from collector_job_view done
    where done.client_id = client.id and done.status in (2, 8)
  ) as completed_job_count
from collector_client client
left join collector_job current on current.client_id = client.id and current.status = 1;
`,
};
