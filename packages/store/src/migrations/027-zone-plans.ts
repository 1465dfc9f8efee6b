/** Plans of zones, as they were made for generations, and those that are being made. */
import type { Migration } from './migration.ts';

export const zonePlansMigration: Migration = {
  name: '027-zone-plans',
  sql: `
create table zone_plan (
  zone integer not null,
  generation integer not null,
  basis text not null,
  state text not null check (state in ('computing', 'complete', 'failed')),
  published_at timestamptz not null,
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  cards integer not null default 0,
  exposed integer,
  plan json,
  fault text,
  primary key (zone, generation, basis)
);
`,
};
