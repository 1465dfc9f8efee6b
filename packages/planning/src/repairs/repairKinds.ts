/** Kinds of repairs, their costs, and the relationships that they remove. Rule: `docs/plan.md#repairs`. */
import type { SettingName } from '@clew/analysis';
import type { EdgeKindName } from '@clew/model';

export type RepairKind =
  | SettingName
  | 'remove-permission'
  | 'change-owner'
  | 'remove-enrollment'
  | 'unpublish-template'
  | 'remove-member'
  | 'remove-local-member'
  | 'remove-policy-member'
  | 'remove-logon-right'
  | 'keep-off'
  | 'separate-logons'
  | 'unlink-policy'
  | 'move-object'
  | 'remove-delegation'
  | 'clear-sid-history'
  | 'filter-trust'
  | 'protect-host'
  | 'remove-role'
  | 'unsynchronize'
  | 'remove-relation';

/**
 * Costs of repairs, in steps of effort and risk: changing a flag takes minutes, while a membership on which work may depend must
 * be reviewed first. Operators can override costs.
 */
export const DEFAULT_COSTS: Readonly<Record<RepairKind, number>> = {
  'template-subject': 1,
  'template-approval': 2,
  'template-security-extension': 1,
  'authority-san-flag': 1,
  'authority-web-enrollment': 2,
  'authority-rpc-encryption': 1,
  'authority-extensions': 1,
  'controllers-certificate-binding': 2,
  'controllers-certificate-mapping': 2,
  'controllers-ldap-signing': 2,
  'controllers-channel-binding': 2,
  'controllers-netlogon-exceptions': 2,
  'computer-smb-signing': 1,
  'domain-smb-signing': 3,
  'domain-computer-quota': 1,
  'remove-permission': 1,
  'change-owner': 1,
  'remove-enrollment': 1,
  'unpublish-template': 2,
  'remove-member': 1,
  'remove-local-member': 1,
  'remove-policy-member': 2,
  'remove-logon-right': 1,
  'keep-off': 2,
  'separate-logons': 4,
  'unlink-policy': 2,
  'move-object': 3,
  'remove-delegation': 2,
  'clear-sid-history': 1,
  'filter-trust': 3,
  'protect-host': 4,
  'remove-role': 1,
  unsynchronize: 4,
  'remove-relation': 2,
};

/** Edge kinds by the repair that removes them; all access list kinds are permissions. */
export const KIND_OF_EDGE: Readonly<Partial<Record<EdgeKindName, RepairKind>>> = {
  MemberOf: 'remove-member',
  AZMemberOf: 'remove-member',
  MemberOfLocalGroup: 'remove-local-member',
  RemoteInteractiveLogonRight: 'remove-logon-right',
  HasSession: 'keep-off',
  GPLink: 'unlink-policy',
  Contains: 'move-object',
  AllowedToDelegate: 'remove-delegation',
  AllowedToAct: 'remove-delegation',
  CoerceToTGT: 'remove-delegation',
  HasSIDHistory: 'clear-sid-history',
  SpoofSIDHistory: 'filter-trust',
  AbuseTGTDelegation: 'filter-trust',
  OwnsLimitedRights: 'change-owner',
  GoldenCert: 'protect-host',
  DumpSMSAPassword: 'protect-host',
  PublishedTo: 'unpublish-template',
  Enroll: 'remove-enrollment',
  AZHasRole: 'remove-role',
  AZRoleEligible: 'remove-role',
  AZGlobalAdmin: 'remove-role',
  AZPrivilegedRoleAdmin: 'remove-role',
  AZPrivilegedAuthAdmin: 'remove-role',
  SyncedToADUser: 'unsynchronize',
  SyncedToEntraUser: 'unsynchronize',
};

/** Edges that Windows creates, or that only a rebuild changes. */
export const FIXED: ReadonlySet<EdgeKindName> = new Set([
  ...(['ClaimSpecialIdentity', 'DCFor', 'SameForestTrust', 'HasTrustKeys', 'LocalToComputer'] as const),
  'SynchronizesAs',
  ...(['ContainsIdentity', 'PropagatesACEsTo', 'GPOAppliesTo', 'CanApplyGPO'] as const),
]);

/** Kinds of repairs that change the start of the relationship. */
export const AT_START: ReadonlySet<string> = new Set<RepairKind>([
  'remove-delegation',
  'clear-sid-history',
  'keep-off',
  'unlink-policy',
]);
