/** Kinds of work packages: single repairs, and groups of repairs. */
import type { RepairKind } from '../repairs/repairKinds.ts';

/** Kinds of packages with several changes, in addition to single repairs. */
export const GROUPED_KINDS = [
  /** LDAP signing and channel binding of the controllers of a domain, or of all domains of a forest. */
  'ldap-protection',
  'forest-ldap-protection',
  'forest-certificate-binding',
  'forest-certificate-mapping',
  'forest-smb-signing',
  'forest-separate-logons',
  /** Rights of a principal on vulnerable templates of a CA. */
  'ca-template-enrollment',
  'ca-template-approval',
  'ca-template-unpublishing',
  /** A principal in the same local group of several hosts. */
  'local-group-of-hosts',
  /** One entry of a container, inherited by its objects. */
  'inherited-entry',
  /** One entry of AdminSDHolder, which Windows copies to protected objects. */
  'protected-entry',
  /** All rights of a principal on one object. */
  'rights-on-object',
  'rights-in-container',
  /** All principals' rights on one object. */
  'access-list',
  /** A default group's own rights. */
  'rights-of-default-group',
  'account-off-hosts',
  'accounts-off-host',
  'members-of-group',
] as const;

export type PackageKind = RepairKind | (typeof GROUPED_KINDS)[number];
