/** Undoing a change of many findings may take several requests: its figures are totaled with the change. */
import type { Migration } from './migration.ts';

export const figuresOfUndoingMigration: Migration = {
  name: '085-figures-of-undoing',
  sql: `
alter table bulk_change add column restored integer not null default 0, add column kept integer not null default 0;
`,
};
