/** Who was in which zone from when to when. */
import type { Migration } from './migration.ts';

export const zoneStaysMigration: Migration = {
  name: '008-zone-stays',
  sql: `
-- One row a stay of an object in a tag. Who was a member at an instant are those whose stay holds it.
create table zone_stay (
  id bigint generated always as identity primary key,
  tag_id integer not null references asset_group_tag,
  object_id text collate "C" not null,
  name text not null,
  primary_kind text not null,
  environment_id text,
  joined_at timestamptz not null,
  left_at timestamptz,
  check (left_at > joined_at)
);
create unique index zone_stay_present on zone_stay (tag_id, object_id) where left_at is null;
create index zone_stay_joined on zone_stay (tag_id, object_id, joined_at);

-- The instants at which the members of a tag were others than before.
create table zone_collection (
  id bigint generated always as identity primary key,
  tag_id integer not null references asset_group_tag,
  created_at timestamptz not null,
  unique (tag_id, created_at)
);
`,
};
