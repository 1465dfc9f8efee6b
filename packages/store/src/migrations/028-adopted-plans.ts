/** Plans that are being carried out, with what was found of them in the newest analysis. */
import type { Migration } from './migration.ts';

export const adoptedPlansMigration: Migration = {
  name: '028-adopted-plans',
  sql: `
alter table saved_plan add column adopted_at timestamptz;
alter table saved_plan add column adoption json;
alter table saved_plan add column progress json;
`,
};
