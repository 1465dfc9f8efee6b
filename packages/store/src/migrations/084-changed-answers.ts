/** Each analysis keeps the answers about certification authorities that it counted, and those that differ from the analysis before. */
import type { Migration } from './migration.ts';

export const changedAnswersMigration: Migration = {
  name: '084-changed-answers',
  sql: `
alter table generation
  add column answers jsonb not null default '[]',
  add column changed_answers jsonb not null default '[]';
`,
};
