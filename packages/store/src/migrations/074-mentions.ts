/** Users whom notes and reasons mention by their name, for their inbox. */
import type { Migration } from './migration.ts';

export const mentionsMigration: Migration = {
  name: '074-mentions',
  sql: `
create table mention (
  id bigint generated always as identity primary key,
  user_id uuid not null references user_account on delete cascade,
  place text not null check (place in ('repair', 'change', 'acceptance', 'constraint', 'certification')),
  plan_id bigint references saved_plan on delete cascade,
  -- Of the repair or the change in its plan.
  number integer,
  finding_id integer references finding on delete cascade,
  constraint_id integer references plan_constraint on delete cascade,
  zone_id integer references asset_group_tag on delete cascade,
  -- Object ids of the environments of all that the note is about; only of certifications.
  environments text[],
  -- Findings or members that the note is about together.
  count integer not null default 1,
  -- The beginning of the note.
  text text not null,
  mentioned_by text not null,
  mentioned_at timestamptz not null default clock_timestamp(),
  check ((place in ('repair', 'change')) = (plan_id is not null and number is not null)),
  check ((place = 'acceptance') = (finding_id is not null)),
  check ((place = 'constraint') = (constraint_id is not null)),
  check ((place = 'certification') = (zone_id is not null and environments is not null))
);
create index mention_user on mention (user_id, id);
create index mention_plan on mention (plan_id) where plan_id is not null;
create index mention_finding on mention (finding_id) where finding_id is not null;
create index mention_constraint on mention (constraint_id) where constraint_id is not null;
create index mention_zone on mention (zone_id) where zone_id is not null;
`,
};
