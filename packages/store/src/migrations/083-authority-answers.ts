/** Answers of people about certification authorities: whether the update of November 2024 is installed, which no collector reports. */
import type { Migration } from './migration.ts';

export const authorityAnswersMigration: Migration = {
  name: '083-authority-answers',
  sql: `
create table authority_answer (
  authority_id text primary key,
  name text not null,
  is_updated boolean not null,
  answered_by text not null,
  answered_at timestamptz not null default clock_timestamp()
);
`,
};
