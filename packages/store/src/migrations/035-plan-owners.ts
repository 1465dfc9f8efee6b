/** Who saved a plan, the environments of what it changes, and what people say is done of it. */
import type { Migration } from './migration.ts';

export const planOwnersMigration: Migration = {
  name: '035-plan-owners',
  sql: `
alter table saved_plan add column owner_id text;
alter table saved_plan add column environments json;
alter table saved_plan add column marks json;
`,
};
