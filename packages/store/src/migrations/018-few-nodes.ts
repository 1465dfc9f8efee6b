/**
 * The few nodes that each build of a generation looks at first (`service/src/build/completeNodes.ts`), so that it need
 * not pass over all nodes: domains, management groups, and what analysis added. Kinds by their numbers at that time.
 */
import type { Migration } from './migration.ts';

const DOMAIN = 8;
const MANAGEMENT_GROUP = 39;

export const fewNodesMigration: Migration = {
  name: '018-few-nodes',
  sql: `
create index node_domain on node (id) where kinds && array[${DOMAIN}]::smallint[];
create index node_management_group on node (id) where kinds && array[${MANAGEMENT_GROUP}]::smallint[];
create index node_completed on node (id) where derived or derived_kinds <> '{}';
`,
};
