/**
 * Edge kinds that are built in, with the traits every other package asks for. Kinds of OpenGraph sources are
 * registered at run time by the store and get numbers from `FIRST_CUSTOM_KIND` on.
 *
 * Rules: `docs/reference/collections.md#kinds`, `docs/reference/collections.md#kinds`.
 */
import type { Platform } from './nodeKinds.ts';

/** `collected`: comes from a file; `derived`: made by analysis only; `both`: from either. */
export type EdgeOrigin = 'collected' | 'derived' | 'both';

type Trait = 'traversable' | 'acl' | 'azureControl' | 'azureExecution' | 'experimental';

export interface EdgeKindTraits {
  /** Number in the store and in graph columns. Never renumber: it is persisted. */
  readonly id: number;
  readonly name: string;
  readonly platform: Platform;
  readonly origin: EdgeOrigin;
  /** Control of the start leads to control of the end: the edge takes part in attack paths. */
  readonly traversable: boolean;
  /** The edge is a right in the access list of its end (controllers and controllables). */
  readonly acl: boolean;
  /** Member of the Azure inbound and outbound control set. */
  readonly azureControl: boolean;
  /** Member of the Azure execution set. */
  readonly azureExecution: boolean;
  /** Made only when a feature flag asks for it. */
  readonly experimental: boolean;
}

const ROWS = [
  [1, 'MemberOf', 'ad', 'both', ['traversable']],
  [2, 'Contains', 'ad', 'collected', ['traversable']],
  [3, 'GPLink', 'ad', 'collected', ['traversable']],
  [4, 'HasSession', 'ad', 'collected', ['traversable']],
  [5, 'AdminTo', 'ad', 'derived', ['traversable']],
  [6, 'CanRDP', 'ad', 'derived', ['traversable']],
  [7, 'CanPSRemote', 'ad', 'derived', ['traversable']],
  [8, 'ExecuteDCOM', 'ad', 'derived', ['traversable']],
  [9, 'SQLAdmin', 'ad', 'collected', ['traversable']],
  [10, 'AllowedToDelegate', 'ad', 'collected', ['traversable']],
  [11, 'AllowedToAct', 'ad', 'collected', ['traversable']],
  [12, 'HasSIDHistory', 'ad', 'collected', ['traversable']],
  [13, 'DumpSMSAPassword', 'ad', 'collected', ['traversable']],
  [14, 'CoerceToTGT', 'ad', 'collected', ['traversable']],
  [15, 'DCFor', 'ad', 'collected', ['traversable']],
  [16, 'GenericAll', 'ad', 'collected', ['traversable', 'acl']],
  [17, 'GenericWrite', 'ad', 'collected', ['traversable', 'acl']],
  [18, 'WriteDacl', 'ad', 'collected', ['traversable', 'acl']],
  [19, 'WriteOwner', 'ad', 'derived', ['traversable', 'acl']],
  [20, 'Owns', 'ad', 'derived', ['traversable', 'acl']],
  [21, 'OwnsRaw', 'ad', 'collected', []],
  [22, 'WriteOwnerRaw', 'ad', 'collected', []],
  [23, 'OwnsLimitedRights', 'ad', 'both', ['traversable', 'acl']],
  [24, 'WriteOwnerLimitedRights', 'ad', 'both', ['traversable', 'acl']],
  [25, 'ForceChangePassword', 'ad', 'collected', ['traversable', 'acl']],
  [26, 'AllExtendedRights', 'ad', 'collected', ['traversable', 'acl']],
  [27, 'AddMember', 'ad', 'collected', ['traversable', 'acl']],
  [28, 'AddSelf', 'ad', 'collected', ['traversable', 'acl']],
  [29, 'AddAllowedToAct', 'ad', 'collected', ['traversable', 'acl']],
  [30, 'AddKeyCredentialLink', 'ad', 'collected', ['traversable', 'acl']],
  [31, 'ReadLAPSPassword', 'ad', 'collected', ['traversable', 'acl']],
  [32, 'ReadGMSAPassword', 'ad', 'collected', ['traversable', 'acl']],
  [33, 'SyncLAPSPassword', 'ad', 'derived', ['traversable', 'acl']],
  [34, 'WriteSPN', 'ad', 'collected', ['traversable', 'acl']],
  [35, 'WriteAccountRestrictions', 'ad', 'collected', ['traversable', 'acl']],
  [36, 'WriteGPLink', 'ad', 'collected', ['traversable', 'acl']],
  [37, 'WriteAltSecurityIdentities', 'ad', 'collected', ['traversable', 'acl']],
  [38, 'WritePublicInformation', 'ad', 'collected', ['traversable', 'acl']],
  [39, 'ManageCA', 'ad', 'collected', ['traversable', 'acl']],
  [40, 'ManageCertificates', 'ad', 'collected', ['traversable', 'acl']],
  [41, 'Enroll', 'ad', 'collected', ['acl']],
  [42, 'GetChanges', 'ad', 'collected', ['acl']],
  [43, 'GetChangesAll', 'ad', 'collected', ['acl']],
  [44, 'GetChangesInFilteredSet', 'ad', 'collected', ['acl']],
  [45, 'WritePKIEnrollmentFlag', 'ad', 'collected', ['acl']],
  [46, 'WritePKINameFlag', 'ad', 'collected', ['acl']],
  [47, 'DCSync', 'ad', 'derived', ['traversable', 'acl']],
  [48, 'LocalToComputer', 'ad', 'collected', []],
  [49, 'MemberOfLocalGroup', 'ad', 'collected', []],
  [50, 'RemoteInteractiveLogonRight', 'ad', 'collected', []],
  [51, 'SameForestTrust', 'ad', 'collected', ['traversable']],
  [52, 'CrossForestTrust', 'ad', 'collected', []],
  [53, 'SpoofSIDHistory', 'ad', 'collected', ['traversable']],
  [54, 'AbuseTGTDelegation', 'ad', 'collected', ['traversable']],
  [55, 'HasTrustKeys', 'ad', 'derived', ['traversable']],
  [56, 'ProtectAdminGroups', 'ad', 'derived', []],
  [57, 'ClaimSpecialIdentity', 'ad', 'derived', ['traversable']],
  [58, 'HostsCAService', 'ad', 'collected', []],
  [59, 'PublishedTo', 'ad', 'collected', []],
  [60, 'DelegatedEnrollmentAgent', 'ad', 'collected', []],
  [61, 'RootCAFor', 'ad', 'collected', []],
  [62, 'NTAuthStoreFor', 'ad', 'collected', []],
  [63, 'OIDGroupLink', 'ad', 'both', []],
  [64, 'IssuedSignedBy', 'ad', 'derived', []],
  [65, 'EnterpriseCAFor', 'ad', 'derived', []],
  [66, 'TrustedForNTAuth', 'ad', 'derived', []],
  [67, 'EnrollOnBehalfOf', 'ad', 'derived', []],
  [68, 'ExtendedByPolicy', 'ad', 'derived', []],
  [69, 'GoldenCert', 'ad', 'derived', ['traversable']],
  [70, 'ADCSESC1', 'ad', 'derived', ['traversable']],
  [71, 'ADCSESC3', 'ad', 'derived', ['traversable']],
  [72, 'ADCSESC4', 'ad', 'derived', ['traversable']],
  [73, 'ADCSESC6a', 'ad', 'derived', ['traversable']],
  [74, 'ADCSESC6b', 'ad', 'derived', ['traversable']],
  [75, 'ADCSESC9a', 'ad', 'derived', ['traversable']],
  [76, 'ADCSESC9b', 'ad', 'derived', ['traversable']],
  [77, 'ADCSESC10a', 'ad', 'derived', ['traversable']],
  [78, 'ADCSESC10b', 'ad', 'derived', ['traversable']],
  [79, 'ADCSESC13', 'ad', 'derived', ['traversable']],
  [80, 'ADCSESC16', 'ad', 'derived', ['traversable', 'experimental']],
  [81, 'CoerceAndRelayNTLMToSMB', 'ad', 'derived', ['traversable']],
  [82, 'CoerceAndRelayNTLMToADCS', 'ad', 'derived', ['traversable']],
  [83, 'CoerceAndRelayNTLMToLDAP', 'ad', 'derived', ['traversable']],
  [84, 'CoerceAndRelayNTLMToLDAPS', 'ad', 'derived', ['traversable']],
  [85, 'ContainsIdentity', 'ad', 'derived', ['traversable', 'experimental']],
  [86, 'PropagatesACEsTo', 'ad', 'derived', ['traversable', 'experimental']],
  [87, 'GPOAppliesTo', 'ad', 'derived', ['traversable', 'experimental']],
  [88, 'CanApplyGPO', 'ad', 'derived', ['traversable', 'experimental']],
  [89, 'SyncedToEntraUser', 'ad', 'derived', ['traversable']],
  [90, 'BackupPrivilege', 'ad', 'collected', ['experimental']],
  [91, 'RestorePrivilege', 'ad', 'collected', ['experimental']],
  [92, 'CanBackup', 'ad', 'derived', ['traversable', 'experimental']],
  [93, 'CanReanimateTombstone', 'ad', 'derived', ['traversable', 'experimental']],
  [94, 'CanUseBadSuccessor', 'ad', 'derived', ['traversable', 'experimental']],
  [95, 'ServerIs', 'ad', 'collected', ['experimental']],
  [96, 'NotPassedOn', 'ad', 'derived', []],
  [130, 'AZContains', 'azure', 'collected', ['traversable']],
  [131, 'AZMemberOf', 'azure', 'collected', ['traversable']],
  [132, 'AZOwns', 'azure', 'collected', ['traversable', 'azureControl']],
  [133, 'AZHasRole', 'azure', 'collected', ['traversable']],
  [134, 'AZRoleEligible', 'azure', 'collected', ['traversable']],
  [135, 'AZRoleApprover', 'azure', 'both', ['traversable']],
  [136, 'AZRunsAs', 'azure', 'collected', ['traversable']],
  [137, 'AZAuthenticatesTo', 'azure', 'collected', ['traversable']],
  [138, 'AZManagedIdentity', 'azure', 'collected', ['traversable', 'azureControl']],
  [139, 'AZNodeResourceGroup', 'azure', 'collected', ['traversable']],
  [140, 'AZAppAdmin', 'azure', 'collected', ['traversable', 'azureControl']],
  [141, 'AZCloudAppAdmin', 'azure', 'collected', ['traversable', 'azureControl']],
  [142, 'AZOwner', 'azure', 'collected', ['traversable', 'azureControl']],
  [143, 'AZContributor', 'azure', 'collected', ['traversable', 'azureControl', 'azureExecution']],
  [144, 'AZUserAccessAdministrator', 'azure', 'collected', ['traversable', 'azureControl']],
  [145, 'AZVMContributor', 'azure', 'collected', ['traversable', 'azureControl', 'azureExecution']],
  [146, 'AZAvereContributor', 'azure', 'collected', ['traversable', 'azureControl', 'azureExecution']],
  [147, 'AZVMAdminLogin', 'azure', 'collected', ['traversable', 'azureExecution']],
  [148, 'AZWebsiteContributor', 'azure', 'collected', ['traversable', 'azureControl', 'azureExecution']],
  [149, 'AZLogicAppContributor', 'azure', 'collected', ['traversable', 'azureControl']],
  [150, 'AZAutomationContributor', 'azure', 'collected', ['traversable', 'azureControl']],
  [151, 'AZAKSContributor', 'azure', 'collected', ['traversable', 'azureControl']],
  [152, 'AZKeyVaultContributor', 'azure', 'collected', ['traversable', 'azureControl']],
  [153, 'AZGetCertificates', 'azure', 'collected', ['traversable']],
  [154, 'AZGetKeys', 'azure', 'collected', ['traversable']],
  [155, 'AZGetSecrets', 'azure', 'collected', ['traversable']],
  [156, 'AZMGApplication_ReadWrite_All', 'azure', 'collected', []],
  [157, 'AZMGAppRoleAssignment_ReadWrite_All', 'azure', 'collected', []],
  [158, 'AZMGDirectory_ReadWrite_All', 'azure', 'collected', []],
  [159, 'AZMGGroup_ReadWrite_All', 'azure', 'collected', []],
  [160, 'AZMGGroupMember_ReadWrite_All', 'azure', 'collected', []],
  [161, 'AZMGRoleManagement_ReadWrite_Directory', 'azure', 'collected', []],
  [162, 'AZMGServicePrincipalEndpoint_ReadWrite_All', 'azure', 'collected', []],
  [163, 'AZMGAddMember', 'azure', 'derived', ['traversable', 'azureControl']],
  [164, 'AZMGAddOwner', 'azure', 'derived', ['traversable', 'azureControl']],
  [165, 'AZMGAddSecret', 'azure', 'derived', ['traversable', 'azureControl']],
  [166, 'AZMGGrantAppRoles', 'azure', 'derived', ['traversable', 'azureControl']],
  [167, 'AZMGGrantRole', 'azure', 'derived', ['traversable', 'azureControl']],
  [168, 'AZResetPassword', 'azure', 'derived', ['traversable', 'azureControl']],
  [169, 'AZAddSecret', 'azure', 'derived', ['traversable', 'azureControl']],
  [170, 'AZAddOwner', 'azure', 'derived', ['traversable', 'azureControl']],
  [171, 'AZAddMembers', 'azure', 'derived', ['traversable', 'azureControl']],
  [172, 'AZGlobalAdmin', 'azure', 'derived', ['traversable', 'azureControl']],
  [173, 'AZPrivilegedRoleAdmin', 'azure', 'derived', ['traversable', 'azureControl']],
  [174, 'AZPrivilegedAuthAdmin', 'azure', 'derived', ['traversable']],
  [175, 'AZExecuteCommand', 'azure', 'derived', ['traversable', 'azureControl', 'azureExecution']],
  [176, 'AZGrant', 'azure', 'collected', ['traversable', 'azureControl']],
  [177, 'AZGrantSelf', 'azure', 'collected', ['traversable', 'azureControl']],
  [178, 'AZScopedTo', 'azure', 'collected', []],
  [179, 'SyncedToADUser', 'azure', 'derived', ['traversable']],
  [180, 'ADCSESC15', 'ad', 'derived', ['traversable', 'experimental']],
] as const satisfies readonly (readonly [number, string, Platform, EdgeOrigin, readonly Trait[]])[];

export type EdgeKindName = (typeof ROWS)[number][1];

type TraversableRow = readonly [number, string, Platform, EdgeOrigin, readonly ['traversable', ...Trait[]]];

/** Kinds that take part in attack paths. */
export type TraversableKindName = Extract<(typeof ROWS)[number], TraversableRow>[1];

export const EDGE_KINDS: readonly EdgeKindTraits[] = ROWS.map(([id, name, platform, origin, traits]) => {
  const has = (trait: Trait): boolean => (traits as readonly Trait[]).includes(trait);
  return {
    id,
    name,
    platform,
    origin,
    traversable: has('traversable'),
    acl: has('acl'),
    azureControl: has('azureControl'),
    azureExecution: has('azureExecution'),
    experimental: has('experimental'),
  };
});

/** Number of each built-in edge kind by its name: `EdgeKind.MemberOf === 1`. */
export const EdgeKind = Object.fromEntries(ROWS.map(([id, name]) => [name, id])) as {
  readonly [Name in EdgeKindName]: number;
};

/** Above all kinds that are registered, and free for graphs that show an edge as another one. */
export const LAST_EDGE_KIND = 0xffff;

const byName: ReadonlyMap<string, EdgeKindTraits> = new Map(EDGE_KINDS.map((kind) => [kind.name, kind]));
const byId: ReadonlyMap<number, EdgeKindTraits> = new Map(EDGE_KINDS.map((kind) => [kind.id, kind]));

/** @returns the traits of a built-in kind; `undefined` for any other name. Case matters. */
export function edgeKindByName(name: string): EdgeKindTraits | undefined {
  return byName.get(name);
}

/** @returns the traits of a built-in kind; `undefined` for a custom one. */
export function edgeKindById(id: number): EdgeKindTraits | undefined {
  return byId.get(id);
}

/** Kinds that the field had once: questions that name them are answered as if there were no such edges. */
export const RETIRED_EDGE_KINDS: ReadonlySet<string> = new Set([
  'TrustedBy',
  'RemoteInteractiveLogonPrivilege',
]);
