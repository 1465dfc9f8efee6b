/** When the schedule of a report ended, or could not make it: webhooks report that, and what it made. */
import type { Migration } from './migration.ts';

export const reportOutcomesMigration: Migration = {
  name: '071-report-outcomes',
  sql: `
alter table report add column ended_at timestamptz;
-- The first failure since it was made last, and why.
alter table report add column failed_at timestamptz;
alter table report add column failure text;
-- The schedule that it was made by; null on request.
alter table report_issue add column schedule text;
create index report_issue_made on report_issue (made_at) where schedule is not null;
`,
};
