/** Which generation shows the facts of an upload job. Jobs that ended before have no word on it. */
import type { Migration } from './migration.ts';

export const jobGenerationsMigration: Migration = {
  name: '034-job-generations',
  sql: `alter table upload_job add column generation bigint`,
};
