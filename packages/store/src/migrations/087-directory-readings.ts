/** How the collector of this project read each directory last: controller, last change, account, and what was not readable. */
import type { Migration } from './migration.ts';

export const directoryReadingsMigration: Migration = {
  name: '087-directory-readings',
  sql: `
create table directory_reading (
  environment_id text primary key,
  name text not null,
  controller text not null,
  usn bigint,
  account text not null,
  reported_by text not null,
  last_full_at timestamptz,
  last_read_at timestamptz not null default clock_timestamp(),
  notes jsonb not null default '[]'
);
`,
};
