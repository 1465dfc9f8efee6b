/** Lines of a collector that come again are known by a digest of the time and text that it said. */
import type { Migration } from './migration.ts';

export const keysOfLogLinesMigration: Migration = {
  name: '088-keys-of-log-lines',
  sql: `
alter table collector_job_line add column line_key bytea;
create unique index collector_job_line_key on collector_job_line (job_id, line_key);
`,
};
