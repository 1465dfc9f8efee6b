/** When an assistant last used what a user granted it. */
import type { Migration } from './migration.ts';

export const usesOfGrantsMigration: Migration = {
  name: '092-uses-of-grants',
  sql: `
alter table oauth_grant add column last_used_at timestamptz;
`,
};
