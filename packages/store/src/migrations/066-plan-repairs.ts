/** Who does a repair of a started plan, until when, and notes about it. */
import type { Migration } from './migration.ts';

export const planRepairsMigration: Migration = {
  name: '066-plan-repairs',
  sql: `
create table plan_repair (
  plan_id bigint not null references saved_plan on delete cascade,
  -- Its place in the plan, from 1.
  repair integer not null,
  owner_id uuid references user_account on delete set null,
  due date,
  notes text not null default '',
  updated_by text not null,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (plan_id, repair)
);
create index plan_repair_owner on plan_repair (owner_id);
`,
};
