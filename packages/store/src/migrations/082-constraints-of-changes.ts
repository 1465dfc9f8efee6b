/** Constraints that a change of many findings made go with it when it is undone. They stay when its day is over, with a number of nothing. */
import type { Migration } from './migration.ts';

export const constraintsOfChangesMigration: Migration = {
  name: '082-constraints-of-changes',
  sql: `
alter table plan_constraint add column bulk_change_id integer;
create index plan_constraint_bulk_change on plan_constraint (bulk_change_id);
`,
};
