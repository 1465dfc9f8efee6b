/** Objects without a name that no file describes: each build looks for those that it can name after their domain. */
import type { Migration } from './migration.ts';

export const unnamedNodesMigration: Migration = {
  name: '032-unnamed-nodes',
  sql: 'create index node_unnamed on node (id) where name is null and not described and not derived and deleted_at is null',
};
