/**
 * Findings of a family share their cause, and so their remedy: the texts of a finding in addition to its own sentence. Facts:
 * `docs/findings.md#texts`. The texts describe the actions of a defender, never those of an attacker.
 */

export interface Reference {
  readonly title: string;
  readonly url: string;
}

export interface FindingFamily {
  /** Its name. */
  readonly key: string;
  /** Why it matters: one or two sentences that follow the finding's own. */
  readonly risk: string;
  /** The most important action, in a sentence. */
  readonly fix: string;
  /** Instructions, in order; each a full sentence. */
  readonly steps: readonly string[];
  /** How to verify the result. */
  readonly verify: readonly string[];
  /** Side effects to expect and avoid. */
  readonly care: string;
  /** How to prevent recurrence. */
  readonly prevent: string;
  readonly references: readonly Reference[];
}

/** Texts of one finding type that replace those of its family if the remedy of the family does not apply. */
export type Remedy = Partial<
  Pick<FindingFamily, 'risk' | 'fix' | 'steps' | 'verify' | 'care' | 'prevent' | 'references'>
>;

const learn = (title: string, path: string): Reference => ({
  title,
  url: `https://learn.microsoft.com/${path}`,
});

/** Public vendor documentation cited by several families. */
export const REFERENCE = {
  securingAd: learn(
    'Best practices for securing Active Directory',
    'windows-server/identity/ad-ds/plan/security-best-practices/best-practices-for-securing-active-directory',
  ),
  protectedAccounts: learn(
    'Protected accounts and groups in Active Directory',
    'windows-server/identity/ad-ds/plan/security-best-practices/appendix-c--protected-accounts-and-groups-in-active-directory',
  ),
  accessModel: learn(
    'Enterprise access model',
    'security/privileged-access-workstations/privileged-access-access-model',
  ),
  laps: learn('Windows LAPS overview', 'windows-server/identity/laps/laps-overview'),
  managedAccounts: learn(
    'Group managed service accounts overview',
    'windows-server/identity/ad-ds/manage/group-managed-service-accounts/group-managed-service-accounts/group-managed-service-accounts-overview',
  ),
  protectedUsers: learn(
    'Protected Users security group',
    'windows-server/security/credentials-protection-and-management/protected-users-security-group',
  ),
  delegation: learn(
    'Kerberos constrained delegation overview',
    'windows-server/security/kerberos/kerberos-constrained-delegation-overview',
  ),
  certificateMapping: {
    title: 'Certificate-based authentication changes on Windows domain controllers (KB5014754)',
    url: 'https://support.microsoft.com/help/5014754',
  },
  certificateRelay: {
    title: 'Mitigating NTLM relay attacks on Active Directory Certificate Services (KB5005413)',
    url: 'https://support.microsoft.com/help/5005413',
  },
  pki: learn(
    'Active Directory Certificate Services overview',
    'windows-server/identity/ad-cs/active-directory-certificate-services-overview',
  ),
  smbSigning: learn('Overview of SMB signing', 'windows-server/storage/file-server/smb-signing-overview'),
  ldapSigning: learn(
    'LDAP signing for Active Directory Domain Services',
    'windows-server/identity/ad-ds/ldap-signing',
  ),
  entraRoles: learn(
    'Best practices for Microsoft Entra roles',
    'entra/identity/role-based-access-control/best-practices',
  ),
  roleGroups: learn(
    'Use Microsoft Entra groups to manage role assignments',
    'entra/identity/role-based-access-control/groups-concept',
  ),
  privilegedIdentity: learn(
    'What is Microsoft Entra Privileged Identity Management?',
    'entra/id-governance/privileged-identity-management/pim-configure',
  ),
  graphPermissions: learn('Microsoft Graph permissions reference', 'graph/permissions-reference'),
  azureRoles: learn('Best practices for Azure RBAC', 'azure/role-based-access-control/best-practices'),
  vaultRoles: learn('Provide access to Key Vault with Azure RBAC', 'azure/key-vault/general/rbac-guide'),
  managedIdentities: learn(
    'What are managed identities for Azure resources?',
    'entra/identity/managed-identities-azure-resources/overview',
  ),
  federation: learn('Workload identity federation', 'entra/workload-id/workload-identity-federation'),
  krbtgt: learn(
    'Resetting the krbtgt password',
    'windows-server/identity/ad-ds/manage/forest-recovery-guide/ad-forest-recovery-reset-the-krbtgt-password',
  ),
} as const satisfies Readonly<Record<string, Reference>>;
