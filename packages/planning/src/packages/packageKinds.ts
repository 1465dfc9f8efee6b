/** Kinds of work packages: single repairs, and those that take several together. */
import type { RepairKind } from '../repairs/repairs.ts';

/** Kinds of packages that have several changes, in addition to those that are one repair alone. */
export const GROUPED_KINDS = [
  /** LDAP signing and channel binding of the controllers of a domain; of all domains of a forest. */
  'ldap-protection',
  'forest-ldap-protection',
  'forest-certificate-binding',
  'forest-certificate-mapping',
  'forest-smb-signing',
  'forest-separate-logons',
  /** The rights of a principal on the open templates of a CA. */
  'ca-template-enrollment',
  'ca-template-approval',
  'ca-template-unpublishing',
  /** A principal in the same local group of several hosts. */
  'local-group-of-hosts',
  /** One entry of a container that its objects inherit. */
  'inherited-entry',
  /** One entry of AdminSDHolder that Windows copies to the objects that it protects. */
  'protected-entry',
  /** All that a principal holds on one object. */
  'rights-on-object',
  /** The rights of a principal on the objects of one container. */
  'rights-in-container',
  /** The rights of all principals on one object. */
  'access-list',
  /** The rights of a default group itself. */
  'rights-of-default-group',
  'account-off-hosts',
  'accounts-off-host',
  'members-of-group',
] as const;

export type PackageKind = RepairKind | (typeof GROUPED_KINDS)[number];
