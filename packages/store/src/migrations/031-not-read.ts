/** What was not read of an environment. Generations before have no word on it; the next build says it. */
import type { Migration } from './migration.ts';

export const notReadMigration: Migration = {
  name: '031-not-read',
  sql: `alter table data_quality add column not_read text[] not null default '{}'`,
};
