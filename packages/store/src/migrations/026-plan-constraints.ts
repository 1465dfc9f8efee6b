/** What no one can change, so that plans work around it. */
import type { Migration } from './migration.ts';

export const planConstraintsMigration: Migration = {
  name: '026-plan-constraints',
  sql: `
create table plan_constraint (
  id integer generated always as identity primary key,
  subject text not null check (subject in ('repairs', 'object', 'kind', 'container')),
  title text not null,
  repairs jsonb,
  object_id text,
  repair_kind text,
  reason text not null,
  until timestamptz,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  check ((subject = 'repairs') = (repairs is not null)),
  check ((subject in ('object', 'container')) = (object_id is not null)),
  check ((subject = 'kind') = (repair_kind is not null))
);
`,
};
