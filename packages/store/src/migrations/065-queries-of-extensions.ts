/** Saved queries that come with the definition of another platform, and go with it: they belong to no user, and all see them. */
import type { Migration } from './migration.ts';

export const queriesOfExtensionsMigration: Migration = {
  name: '065-queries-of-extensions',
  sql: `
alter table saved_query alter column user_id drop not null;
alter table saved_query add column extension_id integer references extension;
alter table saved_query add constraint saved_query_owner check (num_nonnulls(user_id, extension_id) = 1);
create unique index saved_query_extension_name on saved_query (extension_id, name) where extension_id is not null;
`,
};
