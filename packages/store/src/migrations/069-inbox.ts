/** How far each user has read what changed, and the indexes that find findings that began or ended since a time. */
import type { Migration } from './migration.ts';

export const inboxMigration: Migration = {
  name: '069-inbox',
  sql: `
create table inbox_mark (
  user_id uuid not null references user_account on delete cascade,
  -- Names a row of the inbox: 'opened:42'.
  key text not null,
  done_at timestamptz not null default clock_timestamp(),
  primary key (user_id, key)
);

-- All changes up to a time are read.
create table inbox_read (
  user_id uuid primary key references user_account on delete cascade,
  read_before timestamptz not null
);

create index finding_created on finding (created_at) where deleted_at is null;
create index finding_ended on finding (deleted_at) where deleted_at is not null;
`,
};
