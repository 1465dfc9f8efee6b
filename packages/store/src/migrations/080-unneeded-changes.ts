/** Constraints may be answers: no one needs what some changes take. */
import type { Migration } from './migration.ts';

export const unneededChangesMigration: Migration = {
  name: '080-unneeded-changes',
  sql: `
alter table plan_constraint drop constraint plan_constraint_subject_check;
alter table plan_constraint add constraint plan_constraint_subject_check
  check (subject in ('repairs', 'object', 'kind', 'container', 'unneeded'));
alter table plan_constraint drop constraint plan_constraint_check;
alter table plan_constraint add constraint plan_constraint_check
  check ((subject in ('repairs', 'unneeded')) = (repairs is not null));
`,
};
