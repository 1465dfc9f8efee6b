/** Plans that someone means to follow. */
import type { Migration } from './migration.ts';

export const savedPlansMigration: Migration = {
  name: '017-saved-plans',
  sql: `
create table saved_plan (
  id integer generated always as identity primary key,
  name text not null,
  description text not null,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  request jsonb not null,
  expected jsonb not null
);
`,
};
