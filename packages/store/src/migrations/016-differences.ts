/** What each generation changed of the one before it, so that two of them can be compared later. */
import type { Migration } from './migration.ts';

export const differencesMigration: Migration = {
  name: '016-differences',
  sql: `
create table generation_difference (
  generation_id bigint primary key references generation on delete cascade,
  -- Absent for the first one.
  since_generation_id bigint references generation on delete cascade,
  -- Absent for the first one, and where too much changed to be kept.
  difference bytea,
  -- Of each environment and zone, as it was then.
  exposure jsonb not null,
  -- Packed.
  settings bytea not null,
  -- Everything that was published with it carries this instant, or an earlier one.
  instant timestamptz not null
);
create index generation_difference_since on generation_difference (since_generation_id);
`,
};
