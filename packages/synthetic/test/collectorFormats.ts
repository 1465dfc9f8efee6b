/**
 * The formats that collectors write, member by member: SharpHound's format 6 by the type of the file, AzureHound's items by their kind.
 * Sources: the public models of both collectors (2026), other public readers, and the public sample collection. These readers would not
 * understand members of a generated file that this table lacks.
 */

/**
 * A primitive type or several (`string|null`), a list with the format of its elements, or members. `object` is an object with any members.
 */
export type Format = string | readonly Format[] | { readonly [member: string]: Format };

const REFERENCE = { ObjectIdentifier: 'string|null', ObjectType: 'string' };
const REFERENCES = [REFERENCE] as const;
const ACE = {
  ...{ PrincipalSID: 'string', PrincipalType: 'string', RightName: 'string' },
  ...{ IsInherited: 'boolean', InheritanceHash: 'string' },
};
const SESSION = { UserSID: 'string', ComputerSID: 'string', LogonType: 'number' };
const RESULT = { Collected: 'boolean', FailureReason: 'string|null' };
const SESSIONS = { ...RESULT, Results: [SESSION] } as const;
const NAMED = { ObjectIdentifier: 'string', PrincipalName: 'string' };
const LINKS = [{ GUID: 'string', IsEnforced: 'boolean' }] as const;
const POLICY_CHANGES = {
  ...{ LocalAdmins: REFERENCES, RemoteDesktopUsers: REFERENCES, DcomUsers: REFERENCES },
  ...{ PSRemoteUsers: REFERENCES, AffectedComputers: REFERENCES },
};

const BASE = {
  ...{ ObjectIdentifier: 'string', Properties: 'object', Aces: [ACE], ContainedBy: REFERENCE },
  ...{ IsDeleted: 'boolean', IsACLProtected: 'boolean' },
} as const;

/** Members of the records of a file; those in `NULLABLE`, such as `ContainedBy`, may be null. */
export const RECORDS: Readonly<Record<string, { readonly [member: string]: Format }>> = {
  users: {
    ...BASE,
    ...{ AllowedToDelegate: REFERENCES, PrimaryGroupSID: 'string|null', HasSIDHistory: REFERENCES },
    SPNTargets: [{ ComputerSID: 'string', Port: 'number', Service: 'string' }],
    ...{ UnconstrainedDelegation: 'boolean', DomainSID: 'string' },
  },
  groups: { ...BASE, Members: REFERENCES, HasSIDHistory: REFERENCES },
  computers: {
    ...BASE,
    ...{ PrimaryGroupSID: 'string', AllowedToDelegate: REFERENCES, AllowedToAct: REFERENCES },
    ...{ HasSIDHistory: REFERENCES, DumpSMSAPassword: REFERENCES },
    ...{ Sessions: SESSIONS, PrivilegedSessions: SESSIONS, RegistrySessions: SESSIONS },
    LocalGroups: [
      { ...RESULT, ObjectIdentifier: 'string', Name: 'string', Results: REFERENCES, LocalNames: [NAMED] },
    ],
    UserRights: [{ ...RESULT, Privilege: 'string', Results: REFERENCES, LocalNames: [NAMED] }],
    DCRegistryData: {
      CertificateMappingMethods: { ...RESULT, Value: 'number|null' },
      StrongCertificateBindingEnforcement: { ...RESULT, Value: 'number|null' },
      VulnerableNetlogonSecurityDescriptor: { ...RESULT, Value: 'string|null' },
    },
    NTLMRegistryData: {
      ...RESULT,
      Result: {
        ...{ RestrictSendingNtlmTraffic: 'number|null', RestrictReceivingNTLMTraffic: 'number|null' },
        ...{ RequireSecuritySignature: 'number', EnableSecuritySignature: 'number' },
        ...{ NtlmMinClientSec: 'number', NtlmMinServerSec: 'number', LmCompatibilityLevel: 'number|null' },
        ...{ UseMachineId: 'number|null', ClientAllowedNTLMServers: ['string'] },
      },
    },
    SmbInfo: { ...RESULT, Result: { SigningEnabled: 'boolean' } },
    IsWebClientRunning: { ...RESULT, Result: 'boolean|null' },
    Status: { Connectable: 'boolean', Error: 'string' },
    ...{ IsDC: 'boolean', DomainSID: 'string', UnconstrainedDelegation: 'boolean' },
  },
  domains: {
    ...BASE,
    ...{ ChildObjects: REFERENCES, Links: LINKS, GPOChanges: POLICY_CHANGES, InheritanceHashes: ['string'] },
    Trusts: [
      {
        ...{ TargetDomainSid: 'string', TargetDomainName: 'string', IsTransitive: 'boolean' },
        ...{ TrustDirection: 'string', TrustType: 'string', SidFilteringEnabled: 'boolean' },
        ...{ TGTDelegationEnabled: 'boolean', TrustAttributes: 'number' },
      },
    ],
  },
  gpos: BASE,
  ous: {
    ...BASE,
    ...{ ChildObjects: REFERENCES, Links: LINKS, GPOChanges: POLICY_CHANGES, InheritanceHashes: ['string'] },
  },
  containers: { ...BASE, ChildObjects: REFERENCES, InheritanceHashes: ['string'] },
  aiacas: BASE,
  rootcas: { ...BASE, DomainSID: 'string' },
  ntauthstores: { ...BASE, DomainSID: 'string' },
  certtemplates: BASE,
  issuancepolicies: { ...BASE, GroupLink: REFERENCE },
  enterprisecas: {
    ...BASE,
    ...{ HostingComputer: 'string', DomainSID: 'string', EnabledCertTemplates: REFERENCES },
    CARegistryData: {
      CASecurity: { ...RESULT, Data: [ACE] },
      EnrollmentAgentRestrictions: {
        ...RESULT,
        Restrictions: [
          {
            ...{ AccessType: 'string', Agent: REFERENCE, AllTemplates: 'boolean' },
            ...{ Targets: REFERENCES, Template: REFERENCE },
          },
        ],
      },
      IsUserSpecifiesSanEnabled: { ...RESULT, Value: 'boolean' },
      RoleSeparationEnabled: { ...RESULT, Value: 'boolean' },
    },
    HttpEnrollmentEndpoints: [
      {
        ...RESULT,
        Result: {
          ...{ Url: 'string', ADCSWebEnrollmentHTTP: 'boolean', ADCSWebEnrollmentHTTPS: 'boolean' },
          ADCSWebEnrollmentEPA: 'boolean',
        },
      },
    ],
  },
};

/** Members whose value may be null instead of the type in the table. */
export const NULLABLE: ReadonlySet<string> = new Set([
  ...['ContainedBy', 'Status', 'Result', 'ClientAllowedNTLMServers'],
  ...[
    'CertificateMappingMethods',
    'StrongCertificateBindingEnforcement',
    'VulnerableNetlogonSecurityDescriptor',
  ],
]);

const COMMON = {
  ...{ domain: 'string', name: 'string', distinguishedname: 'string', domainsid: 'string' },
  ...{ isaclprotected: 'boolean', description: 'string|null', whencreated: 'number' },
} as const;
/** Only newer collectors write these, for accounts, groups and computers. */
const OWNER_RIGHTS = {
  doesanyacegrantownerrights: 'boolean',
  doesanyinheritedacegrantownerrights: 'boolean',
} as const;
/** A short record of a well-known principal. */
const STUB = { reconcile: 'boolean' } as const;
const CERTIFICATE = {
  ...{ certthumbprint: 'string', certname: 'string', certchain: ['string'] },
  ...{ hasbasicconstraints: 'boolean', basicconstraintpathlength: 'number' },
} as const;
const LOGONS = { lastlogon: 'number', lastlogontimestamp: 'number', pwdlastset: 'number' } as const;

/** Keys of `Properties`, by the type of the file. */
export const PROPERTIES: Readonly<Record<string, { readonly [key: string]: Format }>> = {
  users: {
    ...{ ...COMMON, ...STUB, ...OWNER_RIGHTS, ...LOGONS, samaccountname: 'string' },
    ...{
      displayname: 'string|null',
      email: 'string|null',
      title: 'string|null',
      homedirectory: 'string|null',
    },
    ...{ logonscript: 'string|null', enabled: 'boolean', sensitive: 'boolean', dontreqpreauth: 'boolean' },
    ...{ passwordnotreqd: 'boolean', unconstraineddelegation: 'boolean', pwdneverexpires: 'boolean' },
    ...{
      trustedtoauth: 'boolean',
      hasspn: 'boolean',
      admincount: 'boolean',
      gmsa: 'boolean',
      msa: 'boolean',
    },
    ...{ serviceprincipalnames: ['string'], sidhistory: ['string'], allowedtodelegate: ['string'] },
    ...{ userpassword: 'string|null', unixpassword: 'string|null', unicodepassword: 'string|null' },
    ...{
      sfupassword: 'string|null',
      supportedencryptiontypes: ['string'],
      encryptedtextpwdallowed: 'boolean',
    },
    ...{ smartcardrequired: 'boolean', usedeskeyonly: 'boolean', logonscriptenabled: 'boolean' },
  },
  groups: { ...COMMON, ...STUB, ...OWNER_RIGHTS, samaccountname: 'string', admincount: 'boolean' },
  computers: {
    ...{ ...COMMON, ...OWNER_RIGHTS, ...LOGONS, samaccountname: 'string', operatingsystem: 'string|null' },
    ...{ email: 'string|null', haslaps: 'boolean', enabled: 'boolean', unconstraineddelegation: 'boolean' },
    ...{
      trustedtoauth: 'boolean',
      isdc: 'boolean',
      isreadonlydc: 'boolean',
      serviceprincipalnames: ['string'],
    },
    ...{ sidhistory: ['string'], allowedtodelegate: ['string'], supportedencryptiontypes: ['string'] },
    ...{ ldapenabled: 'boolean', ldapsenabled: 'boolean', ldapsigning: 'boolean', ldapsepa: 'boolean' },
  },
  domains: {
    ...{ ...COMMON, functionallevel: 'string', collected: 'boolean', netbios: 'string' },
    ...{ machineaccountquota: 'number', minpwdlength: 'number', pwdproperties: 'number' },
    ...{ pwdhistorylength: 'number', lockoutthreshold: 'number', dsheuristics: 'string|null' },
    expirepasswordsonsmartcardonlyaccounts: 'boolean',
  },
  gpos: { ...COMMON, gpcpath: 'string', gpostatus: 'string' },
  ous: { ...COMMON, blocksinheritance: 'boolean' },
  containers: COMMON,
  aiacas: {
    ...{ ...COMMON, ...CERTIFICATE, crosscertificatepair: ['string'], hascrosscertificatepair: 'boolean' },
  },
  rootcas: { ...COMMON, ...CERTIFICATE },
  ntauthstores: { ...COMMON, certthumbprints: ['string'] },
  certtemplates: {
    ...{
      ...COMMON,
      validityperiod: 'string',
      renewalperiod: 'string',
      oid: 'string',
      enrollmentflag: 'string',
    },
    ...{ certificatenameflag: 'string', displayname: 'string|null', schemaversion: 'number' },
    ...{ authorizedsignatures: 'number', requiresmanagerapproval: 'boolean', nosecurityextension: 'boolean' },
    ...{
      enrolleesuppliessubject: 'boolean',
      subjectaltrequireupn: 'boolean',
      subjectaltrequiredns: 'boolean',
    },
    ...{ subjectaltrequiredomaindns: 'boolean', subjectaltrequireemail: 'boolean' },
    ...{ subjectaltrequirespn: 'boolean', subjectrequireemail: 'boolean', authenticationenabled: 'boolean' },
    ...{ schannelauthenticationenabled: 'boolean', ekus: ['string'], effectiveekus: ['string'] },
    ...{ certificateapplicationpolicy: ['string'], applicationpolicies: ['string'] },
    ...{ issuancepolicies: ['string'], certificatepolicy: ['string'] },
  },
  issuancepolicies: { ...COMMON, displayname: 'string|null', oid: 'string', certtemplateoid: 'string' },
  enterprisecas: {
    ...{ ...COMMON, ...CERTIFICATE, flags: 'string', caname: 'string', dnshostname: 'string' },
    ...{ casecuritycollected: 'boolean', enrollmentagentrestrictionscollected: 'boolean' },
    ...{ isuserspecifiessanenabledcollected: 'boolean', roleseparationenabledcollected: 'boolean' },
    unresolvedpublishedtemplates: ['string'],
  },
};

const DIRECTORY_OBJECT = { '@odata.type': 'string', id: 'id' };
const ASSIGNMENT = {
  ...{ id: 'string', name: 'string', type: 'string' },
  properties: { principalId: 'id', roleDefinitionId: 'string', scope: 'id' },
};
const TENANT = { tenantId: 'id', tenantName: 'string' };
const IDENTITY = { type: 'string', principalId: 'id', tenantId: 'id' };

const related = (idField: string, list: string, entry: string) => ({
  [idField]: 'id',
  [list]: [{ [idField]: 'id', [entry]: DIRECTORY_OBJECT }] as const,
});
const scoped = (idField: string, list: string, entry: string) => ({
  [idField]: 'id',
  [list]: [{ [idField]: 'id', [entry]: ASSIGNMENT }] as const,
});
const resource = (more: { readonly [member: string]: Format } = {}) => ({
  ...{ id: 'id', name: 'string', resourceGroupId: 'id', tenantId: 'id', identity: IDENTITY },
  ...more,
});

/**
 * Members of the items of AzureHound, by kind; all may be missing. `id` is an id that collectors now write in upper case, `guid` one that
 * they pass on unchanged, in lower case.
 */
export const ITEMS: Readonly<Record<string, { readonly [member: string]: Format }>> = {
  AZTenant: { id: 'string', tenantId: 'id', displayName: 'string', collected: 'boolean' },
  AZUser: {
    ...{ ...TENANT, id: 'id', accountEnabled: 'boolean', createdDateTime: 'string', displayName: 'string' },
    ...{ jobTitle: 'string', lastPasswordChangeDateTime: 'string', mail: 'string', userType: 'string' },
    ...{
      onPremisesSecurityIdentifier: 'string',
      onPremisesSyncEnabled: 'boolean',
      userPrincipalName: 'string',
    },
  },
  AZGroup: {
    ...{
      ...TENANT,
      id: 'id',
      displayName: 'string',
      securityEnabled: 'boolean',
      isAssignableToRole: 'boolean',
    },
    ...{ description: 'string', createdDateTime: 'string' },
  },
  AZGroupMember: related('groupId', 'members', 'member'),
  AZGroupOwner: related('groupId', 'owners', 'owner'),
  AZDevice: {
    ...{ ...TENANT, id: 'id', deviceId: 'id', displayName: 'string', operatingSystem: 'string' },
    ...{ operatingSystemVersion: 'string', trustType: 'string' },
  },
  AZDeviceOwner: related('deviceId', 'owners', 'owner'),
  AZApp: {
    ...{ ...TENANT, id: 'id', appId: 'id', displayName: 'string', publisherDomain: 'string' },
    signInAudience: 'string',
  },
  AZAppOwner: related('appId', 'owners', 'owner'),
  AZFederatedIdentityCredential: {
    ...TENANT,
    appId: 'id',
    fics: [
      {
        appId: 'id',
        fic: {
          ...{ id: 'id', name: 'string', issuer: 'string', subject: 'string', description: 'string' },
          audiences: ['string'],
        },
      },
    ],
  },
  AZServicePrincipal: {
    // The id of Microsoft Graph is passed on in Microsoft's spelling.
    ...{ ...TENANT, id: 'id', appId: 'string', displayName: 'string', appDisplayName: 'string' },
    ...{ appOwnerOrganizationId: 'id', accountEnabled: 'boolean', servicePrincipalType: 'string' },
  },
  AZServicePrincipalOwner: related('servicePrincipalId', 'owners', 'owner'),
  AZAppRoleAssignment: {
    ...{ appRoleId: 'guid', principalId: 'id', principalType: 'string', principalDisplayName: 'string' },
    ...{ resourceId: 'id', resourceDisplayName: 'string', appId: 'guid', tenantId: 'id' },
  },
  AZRole: {
    ...{ ...TENANT, id: 'id', displayName: 'string', description: 'string', isBuiltIn: 'boolean' },
    ...{ isEnabled: 'boolean', templateId: 'guid' },
  },
  AZRoleAssignment: {
    ...{ roleDefinitionId: 'id', tenantId: 'id' },
    roleAssignments: [{ roleDefinitionId: 'id', principalId: 'id', directoryScopeId: 'string' }],
  },
  AZRoleEligibilityScheduleInstance: {
    ...{
      id: 'string',
      roleDefinitionId: 'id',
      principalId: 'id',
      directoryScopeId: 'string',
      tenantId: 'id',
    },
  },
  AZRoleManagementPolicyAssignment: {
    ...{ id: 'string', roleDefinitionId: 'id', tenantId: 'id' },
    endUserAssignmentRequiresApproval: 'boolean',
    endUserAssignmentRequiresCAPAuthenticationContext: 'boolean',
    endUserAssignmentUserApprovers: ['id'],
    endUserAssignmentGroupApprovers: ['id'],
    endUserAssignmentRequiresMFA: 'boolean',
    endUserAssignmentRequiresJustification: 'boolean',
    endUserAssignmentRequiresTicketInformation: 'boolean',
  },
  AZManagementGroup: { id: 'id', properties: { displayName: 'string', tenantId: 'id' }, tenantId: 'id' },
  AZManagementGroupDescendant: { id: 'id', properties: { parent: { id: 'id' } } },
  AZManagementGroupOwner: scoped('managementGroupId', 'owners', 'owner'),
  AZManagementGroupUserAccessAdmin: scoped('managementGroupId', 'userAccessAdmins', 'userAccessAdmin'),
  AZSubscription: { id: 'id', subscriptionId: 'id', displayName: 'string', tenantId: 'id' },
  AZSubscriptionOwner: scoped('subscriptionId', 'owners', 'owner'),
  AZSubscriptionUserAccessAdmin: scoped('subscriptionId', 'userAccessAdmins', 'userAccessAdmin'),
  AZResourceGroup: { id: 'id', name: 'string', subscriptionId: 'id', tenantId: 'id' },
  AZResourceGroupContributor: scoped('resourceGroupId', 'contributors', 'contributor'),
  AZKeyVault: {
    ...{ id: 'id', name: 'string', resourceGroup: 'id', subscriptionId: 'id', tenantId: 'id' },
    properties: { enableRbacAuthorization: 'boolean' },
  },
  AZKeyVaultAccessPolicy: {
    ...{ keyVaultId: 'id', tenantId: 'id', objectId: 'id', applicationId: 'id' },
    permissions: { certificates: ['string'], keys: ['string'], secrets: ['string'], storage: ['string'] },
  },
  AZVM: resource({ properties: { storageProfile: { osDisk: { osType: 'string' } } } }),
  AZFunctionApp: resource(),
  AZAutomationAccount: resource(),
};

/** @returns the paths at which the value violates the format */
export function faultsOf(value: unknown, format: Format, path = ''): string[] {
  if (typeof format === 'string')
    return isPrimitive(value, format) ? [] : [`${path} is ${JSON.stringify(value)}, not ${format}`];
  if (isList(format)) {
    if (!Array.isArray(value)) return [`${path} is not a list`];
    return value.flatMap((each) => faultsOf(each, format[0] as Format, `${path}[]`));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [`${path} is not an object`];
  return Object.entries(value).flatMap(([member, each]) => {
    const expected = format[member];
    if (expected === undefined) return [`${path}.${member} is not a member that collectors write`];
    return each === null && NULLABLE.has(member) ? [] : faultsOf(each, expected, `${path}.${member}`);
  });
}

const isList = (format: Exclude<Format, string>): format is readonly Format[] => Array.isArray(format);

const CASES: Readonly<Record<string, RegExp>> = {
  id: /^[^a-z]+$/,
  guid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
};

function isPrimitive(value: unknown, format: string): boolean {
  const pattern = CASES[format];
  if (pattern !== undefined) return typeof value === 'string' && pattern.test(value);
  return format.split('|').includes(value === null ? 'null' : typeof value);
}
