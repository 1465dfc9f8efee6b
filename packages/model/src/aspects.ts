/**
 * Aspects: the parts of an object that a collector enumerates one at a time. An enumeration replaces the earlier report of the same source
 * on the same aspect of the same object; a sample is added to it and expires.
 */

export interface AspectTraits {
  /** Number in the store. Never renumber: it is persisted. */
  readonly id: number;
  readonly name: string;
  /** `enumeration` replaces, `sample` accumulates and expires. */
  readonly nature: 'enumeration' | 'sample';
}

const ROWS = [
  [1, 'acl', 'enumeration'],
  [2, 'members', 'enumeration'],
  [3, 'primary-group', 'enumeration'],
  [4, 'contained-by', 'enumeration'],
  [5, 'child-objects', 'enumeration'],
  [6, 'delegation', 'enumeration'],
  [7, 'allowed-to-act', 'enumeration'],
  [8, 'sid-history', 'enumeration'],
  [9, 'smsa-passwords', 'enumeration'],
  [10, 'spn-targets', 'enumeration'],
  [11, 'local-groups', 'enumeration'],
  [12, 'user-rights', 'enumeration'],
  [13, 'domain-role', 'enumeration'],
  [14, 'trusts', 'enumeration'],
  [15, 'gp-links', 'enumeration'],
  [16, 'gpo-changes', 'enumeration'],
  [17, 'ca-service', 'enumeration'],
  [18, 'published-templates', 'enumeration'],
  [19, 'enrollment-agents', 'enumeration'],
  [20, 'pki-domain', 'enumeration'],
  [21, 'group-link', 'enumeration'],
  [22, 'sessions', 'sample'],
  [23, 'ca-acl', 'enumeration'],
  [40, 'az-tenant', 'enumeration'],
  [41, 'az-members', 'enumeration'],
  [42, 'az-owners', 'enumeration'],
  [43, 'az-role-assignments', 'enumeration'],
  [44, 'az-role-eligibility', 'enumeration'],
  [45, 'az-role-approvers', 'enumeration'],
  [46, 'az-app', 'enumeration'],
  [47, 'az-credentials', 'enumeration'],
  [48, 'az-container', 'enumeration'],
  [49, 'az-managed-identity', 'enumeration'],
  [50, 'az-access-policies', 'enumeration'],
  [51, 'az-app-roles', 'enumeration'],
  [52, 'az-scope-owners', 'enumeration'],
  [53, 'az-scope-contributors', 'enumeration'],
  [54, 'az-scope-access-admins', 'enumeration'],
  [55, 'az-node-resource-group', 'enumeration'],
  [56, 'az-parent', 'enumeration'],
  [57, 'az-key-vault-contributors', 'enumeration'],
  [58, 'az-vm-contributors', 'enumeration'],
  [59, 'az-vm-admin-logins', 'enumeration'],
  [60, 'az-vm-avere-contributors', 'enumeration'],
  [80, 'opengraph', 'sample'],
  [100, 'derived', 'enumeration'],
] as const satisfies readonly (readonly [number, string, AspectTraits['nature']])[];

export type AspectName = (typeof ROWS)[number][1];

export const ASPECTS: readonly AspectTraits[] = ROWS.map(([id, name, nature]) => ({ id, name, nature }));

/** Number of each aspect by its name: `Aspect.acl === 1`. */
export const Aspect = Object.fromEntries(ROWS.map(([id, name]) => [name, id])) as {
  readonly [Name in AspectName]: number;
};
