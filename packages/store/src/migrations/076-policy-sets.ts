/** Plans ask which units' policies give memberships: a few sets among millions, those of the aspect `gpo-changes`. */
import type { Migration } from './migration.ts';

export const policySetsMigration: Migration = {
  name: '076-policy-sets',
  sql: 'create index edge_set_of_policies on edge_set (owner_id, source_id) where aspect = 16',
};
