/**
 * Tenants, as domains already: the few nodes that a merge puts aside (`service/src/ingest/merge/lateNodes.ts`). The kind by
 * its number at that time.
 */
import type { Migration } from './migration.ts';

const TENANT = 31;

export const tenantsMigration: Migration = {
  name: '024-tenants',
  sql: `create index node_tenant on node (id) where kinds && array[${TENANT}]::smallint[]`,
};
