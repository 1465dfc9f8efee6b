/** Changes of many findings by one request, with what each finding had before: they can be taken back for a day. */
import type { Migration } from './migration.ts';

export const bulkChangesMigration: Migration = {
  name: '081-bulk-changes',
  sql: `
create table bulk_change (
  id integer primary key generated always as identity,
  action text not null,
  user_id uuid,
  user_name text not null,
  findings integer not null default 0,
  changed_at timestamptz not null default clock_timestamp(),
  undone_at timestamptz,
  undone_by text
);
create table bulk_change_row (
  bulk_change_id integer not null references bulk_change on delete cascade,
  finding_id integer not null references finding on delete cascade,
  before jsonb not null,
  after jsonb not null,
  primary key (bulk_change_id, finding_id)
);
create index bulk_change_row_finding on bulk_change_row (finding_id);
`,
};
