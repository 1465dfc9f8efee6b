/** Events of the repairs of started plans: done, undone, contradicted, overdue. Webhooks and the proof of a plan read them. */
import type { Migration } from './migration.ts';

export const planEventsMigration: Migration = {
  name: '089-plan-events',
  sql: `
create table plan_event (
  id bigint generated always as identity primary key,
  plan_id bigint not null references saved_plan on delete cascade,
  -- Its place in the plan, from 1.
  repair integer not null,
  -- The number of one change; null for the whole repair.
  change integer,
  kind text not null check (kind in ('done', 'undone', 'contradicted', 'overdue')),
  -- Names the event in its plan, so that it is noted once.
  cause text collate "C" not null,
  happened_at timestamptz not null,
  noted_at timestamptz not null default now(),
  -- The user who marked the change as done, and when.
  said_by text,
  said_at timestamptz,
  unique (plan_id, cause)
);
create index plan_event_noted on plan_event (noted_at);
`,
};
