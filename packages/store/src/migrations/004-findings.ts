/** Zones and who is in them; findings and how they went; the figures of each run. */
import type { Migration } from './migration.ts';

export const findingsMigration: Migration = {
  name: '004-findings',
  sql: `
create table asset_group_tag (
  id integer generated always as identity primary key,
  type smallint not null check (type between 1 and 4),
  kind_id smallint not null,
  name text not null,
  description text not null default '',
  position integer,
  require_certify boolean,
  analysis_enabled boolean,
  glyph text,
  created_at timestamptz not null default clock_timestamp(),
  created_by text not null,
  updated_at timestamptz not null default clock_timestamp(),
  updated_by text not null,
  deleted_at timestamptz,
  deleted_by text,
  check ((position is not null) = (type = 1 and deleted_at is null))
);
create unique index asset_group_tag_name on asset_group_tag (lower(name)) where deleted_at is null;

create table asset_group_tag_selector (
  id integer generated always as identity primary key,
  asset_group_tag_id integer not null references asset_group_tag,
  default_key text unique,
  name text not null,
  description text not null default '',
  is_default boolean not null default false,
  allow_disable boolean not null default true,
  auto_certify smallint not null default 0 check (auto_certify between 0 and 2),
  created_at timestamptz not null default clock_timestamp(),
  created_by text not null,
  updated_at timestamptz not null default clock_timestamp(),
  updated_by text not null,
  disabled_at timestamptz,
  disabled_by text,
  unique (asset_group_tag_id, name)
);

create table asset_group_tag_selector_seed (
  selector_id integer not null references asset_group_tag_selector on delete cascade,
  type smallint not null check (type in (1, 2)),
  value text not null,
  primary key (selector_id, type, value)
);

create table zone_member (
  id bigint generated always as identity primary key,
  tag_id integer not null references asset_group_tag,
  node_id integer not null,
  object_id text collate "C" not null,
  name text not null,
  primary_kind text not null,
  environment_id text,
  source smallint not null,
  certified smallint not null,
  certified_by text,
  tagged boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (tag_id, node_id)
);
create index zone_member_node on zone_member (node_id);

create table zone_rule_member (
  selector_id integer not null references asset_group_tag_selector on delete cascade,
  node_id integer not null,
  source smallint not null,
  primary key (selector_id, node_id)
);
create index zone_rule_member_node on zone_rule_member (node_id);

-- Decisions of people. They outlive the membership they are about.
create table zone_decision (
  tag_id integer not null references asset_group_tag,
  node_id integer not null,
  certified smallint not null check (certified in (1, 2)),
  decided_by text not null,
  decided_at timestamptz not null,
  note text not null default '',
  primary key (tag_id, node_id)
);

create table asset_group_history (
  id bigint generated always as identity primary key,
  created_at timestamptz not null default clock_timestamp(),
  actor text not null,
  email text,
  action text not null,
  target text not null,
  asset_group_tag_id integer not null,
  environment_id text,
  note text
);
create index asset_group_history_created_at on asset_group_history (created_at);

-- The time of the last change that was published: the next one is later, whatever the clock says.
create table publication_clock (published_at timestamptz not null);
insert into publication_clock values ('0001-01-01T00:00:00Z');

create table finding_run (
  id bigint generated always as identity primary key,
  generation_id bigint not null,
  published_at timestamptz not null,
  is_partial boolean not null,
  report jsonb not null
);

create table finding (
  id integer generated always as identity primary key,
  environment_id text collate "C" not null,
  tag_id integer not null,
  finding text collate "C" not null,
  source_id text collate "C" not null,
  target_id text collate "C" not null,
  kind text not null check (kind in ('relationship', 'list')),
  edge_kind smallint,
  is_inherited boolean not null,
  source_name text not null,
  source_kind text not null,
  source_environment_id text,
  target_name text not null,
  target_kind text not null,
  also_from text[] not null,
  principal_hash text not null,
  status text not null check (status in ('active', 'accepted', 'remediated', 'orphaned', 'deprecated')),
  accepted_until timestamptz,
  accepted_by text,
  exposure_count bigint not null,
  exposure_percentage double precision not null,
  impact_count bigint not null,
  impact_percentage double precision not null,
  severity smallint not null check (severity between 0 and 3),
  previous_id integer references finding on delete set null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  check ((deleted_at is null) = (status in ('active', 'accepted'))),
  check ((status = 'accepted') = (accepted_until is not null))
);
-- What a finding is about. Archived findings may share it with the one that came after them.
create unique index finding_key on finding (environment_id, tag_id, finding, source_id, target_id)
  where deleted_at is null;
create index finding_page on finding (environment_id, finding, id) where deleted_at is null;
create index finding_archived on finding (environment_id, tag_id, finding, source_id, target_id, deleted_at)
  where deleted_at is not null;
create index finding_expiry on finding (accepted_until) where status = 'accepted';

-- Types of findings of this release, for joins; written at each start.
create table finding_type (
  id text collate "C" primary key,
  title text not null,
  platform text not null
);

-- Findings as people see them.
create view finding_view as
select finding.*,
       finding.status = 'accepted' and finding.accepted_until > clock_timestamp() as is_accepted,
       (array['low', 'moderate', 'high', 'critical'])[finding.severity + 1] as severity_name,
       case when finding.tag_id > 1 then replace(coalesce(finding_type.title, finding.finding), 'Tier Zero', zone.name)
            else coalesce(finding_type.title, finding.finding) end as title,
       coalesce(finding_type.platform, '') as platform,
       case when finding.tag_id = 0 then 'Hygiene' else coalesce(zone.name, '') end as zone_name,
       coalesce(environment.name, finding.environment_id) as environment_name,
       coalesce(source_environment.name, finding.source_environment_id, '') as source_environment_name,
       source.id as source_graph_id,
       target.id as target_graph_id
from finding
left join finding_type on finding_type.id = finding.finding
left join asset_group_tag zone on zone.id = finding.tag_id
left join object_id environment_key on environment_key.object_id = finding.environment_id
left join node environment on environment.id = environment_key.id
left join object_id source_environment_key on source_environment_key.object_id = finding.source_environment_id
left join node source_environment on source_environment.id = source_environment_key.id
left join object_id source on source.object_id = finding.source_id
left join object_id target on target.object_id = finding.target_id;

create table risk_count (
  id bigint generated always as identity primary key,
  run_id bigint not null references finding_run on delete cascade,
  environment_id text collate "C" not null,
  tag_id integer not null,
  finding text collate "C" not null,
  composite_risk double precision not null,
  finding_count integer not null,
  impacted_asset_count integer not null,
  exposure_count bigint not null,
  impact_count bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create index risk_count_series on risk_count (environment_id, finding, created_at);
create index risk_count_run on risk_count (run_id);

create table posture_stat (
  id bigint generated always as identity primary key,
  run_id bigint not null references finding_run on delete cascade,
  environment_id text collate "C" not null,
  tag_id integer not null,
  exposure_index double precision not null,
  tier_zero_count bigint not null,
  critical_risk_count integer not null,
  finding_count integer not null,
  attack_path_count bigint not null,
  principal_count bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create index posture_stat_series on posture_stat (environment_id, created_at);
create index posture_stat_run on posture_stat (run_id);

create table environment_stat (
  run_id bigint not null references finding_run on delete cascade,
  environment_id text collate "C" not null,
  environment_name text not null,
  platform text not null,
  active_computers integer not null,
  session_computers integer not null,
  group_computers integer not null,
  created_at timestamptz not null,
  primary key (run_id, environment_id)
);
create index environment_stat_series on environment_stat (environment_id, created_at);
`,
};
