import { EDGE_KINDS } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RM_ROLE_EDGES } from './constants.ts';
import { AZURE_CONVERTERS } from './converters.ts';
import { convertAzureItem } from './convertItem.ts';

/** Nodes as `KIND ID`, edges as `START KIND END`, edge sets as `ASPECT OWNER`. */
interface Expected {
  readonly nodes?: readonly string[];
  readonly edges?: readonly string[];
  readonly sets?: readonly string[];
  readonly properties?: Readonly<Record<string, unknown>>;
}

type Row = readonly [kind: string, what: string, data: object, expected: Expected];

const tenant = { tenantId: 't-1', tenantName: 'Contoso' };
const principal = (type: string, id: string) => ({ '@odata.type': `#microsoft.graph.${type}`, id });
const assignment = (principalId: string, scope: string) => ({ properties: { principalId, scope } });

const DIRECTORY: readonly Row[] = [
  [
    'AZTenant',
    'the collected tenant',
    { tenantId: 't-1', id: '/tenants/t-1', displayName: 'Contoso', collected: true },
    {
      nodes: ['AZTenant T-1'],
      properties: { displayname: 'Contoso', name: 'CONTOSO', tenantid: 'T-1', collected: true },
    },
  ],
  [
    'AZTenant',
    'a tenant merely visible says nothing about its collection',
    { tenantId: 't-2', displayName: 'Other' },
    { nodes: ['AZTenant T-2'], properties: { displayname: 'Other', name: 'OTHER', tenantid: 'T-2' } },
  ],
  [
    'AZUser',
    'absent members are zero values, stored as such',
    { id: 'u-1', userPrincipalName: 'ann@contoso.com', ...tenant },
    {
      nodes: ['AZUser U-1'],
      edges: ['T-1 AZContains U-1'],
      sets: ['az-container U-1'],
      properties: {
        name: 'ANN@CONTOSO.COM',
        enabled: false,
        whencreated: '0001-01-01T00:00:00Z',
        displayname: '',
        title: '',
        pwdlastset: '0001-01-01T00:00:00Z',
        email: '',
        onpremid: '',
        onpremsyncenabled: false,
        userprincipalname: 'ann@contoso.com',
        usertype: '',
        tenantid: 'T-1',
      },
    },
  ],
  [
    'AZUser',
    'all members',
    {
      id: 'u-1',
      accountEnabled: true,
      createdDateTime: '2024-01-02T03:04:05Z',
      displayName: 'Ann',
      jobTitle: 'Clerk',
      lastPasswordChangeDateTime: 'yesterday',
      mail: 'ann@contoso.com',
      onPremisesSecurityIdentifier: 'S-1-5-21-1-2-3-1105',
      onPremisesSyncEnabled: true,
      userPrincipalName: 'ann@contoso.com',
      userType: 'Member',
      signInActivity: { lastSuccessfulSignInDateTime: '2024-05-01T00:00:00Z' },
      ...tenant,
    },
    {
      nodes: ['AZUser U-1'],
      edges: ['T-1 AZContains U-1'],
      properties: {
        name: 'ANN@CONTOSO.COM',
        enabled: true,
        whencreated: '2024-01-02T03:04:05Z',
        displayname: 'Ann',
        title: 'Clerk',
        pwdlastset: '0001-01-01T00:00:00Z',
        email: 'ann@contoso.com',
        onpremid: 'S-1-5-21-1-2-3-1105',
        onpremsyncenabled: true,
        userprincipalname: 'ann@contoso.com',
        usertype: 'Member',
        tenantid: 'T-1',
        lastsuccessfulsignindatetime: '2024-05-01T00:00:00Z',
      },
    },
  ],
  [
    'AZGroup',
    'a role-assignable group',
    { id: 'g-1', displayName: 'Admins', isAssignableToRole: true, securityEnabled: true, ...tenant },
    {
      nodes: ['AZGroup G-1'],
      edges: ['T-1 AZContains G-1'],
      properties: {
        name: 'ADMINS@CONTOSO',
        whencreated: '0001-01-01T00:00:00Z',
        description: '',
        displayname: 'Admins',
        isassignabletorole: true,
        onpremid: '',
        onpremsyncenabled: false,
        securityenabled: true,
        securityidentifier: '',
        tenantid: 'T-1',
      },
    },
  ],
  [
    'AZGroupMember',
    'members of the four directory types',
    {
      groupId: 'g-1',
      members: [
        { groupId: 'g-1', member: principal('user', 'u-1') },
        { groupId: 'g-1', member: principal('group', 'g-2') },
        { groupId: 'g-1', member: principal('servicePrincipal', 's-1') },
        { groupId: 'g-1', member: principal('device', 'd-1') },
        { groupId: 'g-1', member: principal('orgContact', 'c-1') },
      ],
    },
    {
      edges: ['U-1', 'G-2', 'S-1', 'D-1'].map((id) => `${id} AZMemberOf G-1`),
      sets: ['az-members G-1'],
    },
  ],
  ['AZGroupMember', 'an empty group clears its members', { groupId: 'g-1' }, { sets: ['az-members G-1'] }],
  [
    'AZGroupOwner',
    'an owner',
    { groupId: 'g-1', owners: [{ groupId: 'g-1', owner: principal('user', 'u-1') }] },
    { edges: ['U-1 AZOwns G-1'], sets: ['az-owners G-1'] },
  ],
  [
    'AZDevice',
    'a device under its object id',
    {
      id: 'd-1',
      deviceId: 'device',
      displayName: 'Laptop',
      operatingSystem: 'Windows',
      trustType: 'AzureAd',
      ...tenant,
    },
    {
      nodes: ['AZDevice D-1'],
      edges: ['T-1 AZContains D-1'],
      properties: {
        name: 'LAPTOP@CONTOSO',
        displayname: 'Laptop',
        operatingsystem: 'WINDOWS',
        deviceid: 'device',
        operatingsystemversion: '',
        trustype: 'AzureAd',
        tenantid: 'T-1',
      },
    },
  ],
  [
    'AZDeviceOwner',
    'an owner',
    { deviceId: 'd-1', owners: [{ deviceId: 'd-1', owner: principal('user', 'u-1') }] },
    { edges: ['U-1 AZOwns D-1'] },
  ],
];

const APPLICATIONS: readonly Row[] = [
  [
    'AZApp',
    'an application under its client id',
    { id: 'object', appId: 'a-1', displayName: 'App', publisherDomain: 'contoso.com', ...tenant },
    {
      nodes: ['AZApp A-1'],
      edges: ['T-1 AZContains A-1'],
      properties: {
        name: 'APP@CONTOSO.COM',
        description: '',
        displayname: 'App',
        whencreated: '0001-01-01T00:00:00Z',
        appid: 'a-1',
        applicationobjectid: 'OBJECT',
        publisherdomain: 'contoso.com',
        signinaudience: '',
        tenantid: 'T-1',
      },
    },
  ],
  [
    'AZAppOwner',
    'the outer id counts',
    { appId: 'a-1', owners: [{ appId: 'object', owner: principal('servicePrincipal', 's-1') }] },
    { edges: ['S-1 AZOwns A-1'] },
  ],
  ['AZAppOwner', 'no owners', { appId: 'a-1', owners: null }, { sets: ['az-owners A-1'] }],
  [
    'AZFederatedIdentityCredential',
    'a credential of an application',
    {
      appId: 'a-1',
      ...tenant,
      fics: [
        {
          appId: 'a-1',
          fic: { id: 'f-1', name: 'gh', issuer: 'https://i', subject: 'repo', audiences: ['x'] },
        },
      ],
    },
    {
      nodes: ['AZFederatedIdentityCredential F-1'],
      edges: ['F-1 AZAuthenticatesTo A-1'],
      sets: ['az-credentials A-1'],
      properties: {
        name: 'GH@CONTOSO',
        description: '',
        issuer: 'https://i',
        audiences: ['x'],
        subject: 'repo',
        tenantid: 'T-1',
      },
    },
  ],
  [
    'AZServicePrincipal',
    'two nodes; an application of another tenant is not contained by the tenant',
    {
      id: 's-1',
      appId: 'a-9',
      displayName: 'Svc',
      appDisplayName: 'App',
      appOwnerOrganizationId: 't-9',
      ...tenant,
    },
    {
      nodes: ['AZServicePrincipal S-1', 'AZApp A-9'],
      edges: ['T-1 AZContains S-1', 'A-9 AZRunsAs S-1'],
      sets: ['az-container S-1', 'az-app S-1'],
    },
  ],
  [
    'AZServicePrincipalOwner',
    'an owner',
    { servicePrincipalId: 's-1', owners: [{ owner: principal('user', 'u-1') }] },
    { edges: ['U-1 AZOwns S-1'] },
  ],
  [
    'AZAppRoleAssignment',
    'a permission on another application makes nothing',
    {
      appId: 'other',
      principalType: 'ServicePrincipal',
      principalId: 's-1',
      resourceId: 's-0',
      appRoleId: '1bfefb4e-e0b5-418b-a88f-73c46d2cc8e9',
      ...tenant,
    },
    {},
  ],
  [
    'AZAppRoleAssignment',
    'a permission of a user makes nothing',
    {
      appId: '00000003-0000-0000-c000-000000000000',
      principalType: 'User',
      principalId: 'u-1',
      resourceId: 's-0',
      appRoleId: '1bfefb4e-e0b5-418b-a88f-73c46d2cc8e9',
      ...tenant,
    },
    {},
  ],
  [
    'AZAppRoleAssignment',
    'a harmless permission makes the nodes only',
    {
      appId: '00000003-0000-0000-C000-000000000000',
      principalType: 'ServicePrincipal',
      principalId: 's-1',
      resourceId: 's-0',
      appRoleId: 'harmless',
      ...tenant,
    },
    { nodes: ['AZServicePrincipal S-1', 'AZServicePrincipal S-0'], sets: ['az-app-roles S-1'] },
  ],
  ...(
    [
      ['1bfefb4e-e0b5-418b-a88f-73c46d2cc8e9', 'AZMGApplication_ReadWrite_All'],
      ['06B708A9-E830-4DB3-A914-8E69DA51D44F', 'AZMGAppRoleAssignment_ReadWrite_All'],
      ['19dbc75e-c2e2-444c-a770-ec69d8559fc7', 'AZMGDirectory_ReadWrite_All'],
      ['62a82d76-70ea-41e2-9197-370581804d09', 'AZMGGroup_ReadWrite_All'],
      ['dbaae8cf-10b5-4b86-a4a1-f871c94c6695', 'AZMGGroupMember_ReadWrite_All'],
      ['9e3f62cf-ca93-4989-b6ce-bf83c28f9fe8', 'AZMGRoleManagement_ReadWrite_Directory'],
      ['89c8469c-83ad-45f7-8ff2-6e3d4285709e', 'AZMGServicePrincipalEndpoint_ReadWrite_All'],
    ] as const
  ).map(
    ([appRoleId, edge]): Row => [
      'AZAppRoleAssignment',
      edge,
      {
        appId: '00000003-0000-0000-c000-000000000000',
        principalType: 'ServicePrincipal',
        principalId: 's-1',
        resourceId: 's-0',
        appRoleId,
        ...tenant,
      },
      { nodes: ['AZServicePrincipal S-1', 'AZServicePrincipal S-0'], edges: [`S-1 ${edge} S-0`] },
    ],
  ),
];

const APPLICATION_ADMIN = '9B895D92-2CD3-44C7-9D02-A6AC2D5EA5C3';

const ROLES: readonly Row[] = [
  [
    'AZRole',
    'a role of its tenant',
    { id: 'r-1', displayName: 'Reader', isBuiltIn: true, isEnabled: true, templateId: 'r-1', ...tenant },
    {
      nodes: ['AZRole R-1@T-1'],
      edges: ['T-1 AZContains R-1@T-1'],
      properties: {
        name: 'READER@CONTOSO',
        description: '',
        displayname: 'Reader',
        enabled: true,
        isbuiltin: true,
        templateid: 'r-1',
        tenantid: 'T-1',
      },
    },
  ],
  [
    'AZRoleAssignment',
    'tenant-wide and scoped assignments',
    {
      roleDefinitionId: 'r-1',
      tenantId: 't-1',
      roleAssignments: [
        { principalId: 'u-1', directoryScopeId: '/' },
        { principalId: 'u-2', directoryScopeId: '/a-1' },
      ],
    },
    {
      edges: ['U-1 AZHasRole R-1@T-1 {"scope":"T-1"}', 'U-2 AZHasRole R-1@T-1 {"scope":"A-1"}'],
      sets: ['az-role-assignments R-1@T-1'],
    },
  ],
  [
    'AZRoleAssignment',
    'an application administrator of one application, role id in upper case',
    {
      roleDefinitionId: APPLICATION_ADMIN,
      tenantId: 't-1',
      roleAssignments: [{ principalId: 'u-1', directoryScopeId: '/a-1' }],
    },
    { edges: ['U-1 AZAppAdmin A-1'] },
  ],
  [
    'AZRoleAssignment',
    'a cloud application administrator, once scoped and once not',
    {
      roleDefinitionId: '158c047a-c907-4556-b7ef-446551a6b5f7',
      tenantId: 't-1',
      roleAssignments: [
        { principalId: 'u-1', directoryScopeId: '/a-1' },
        { principalId: 'u-2', directoryScopeId: '/' },
      ],
    },
    {
      edges: [
        'U-1 AZCloudAppAdmin A-1',
        'U-2 AZHasRole 158C047A-C907-4556-B7EF-446551A6B5F7@T-1 {"scope":"T-1"}',
      ],
    },
  ],
  [
    'AZRoleEligibilityScheduleInstance',
    'tenant-wide eligibility',
    { roleDefinitionId: 'r-1', principalId: 'u-1', directoryScopeId: '/', tenantId: 't-1' },
    { edges: ['U-1 AZRoleEligible R-1@T-1'] },
  ],
  [
    'AZRoleEligibilityScheduleInstance',
    'eligibility in an administrative unit makes no edge',
    {
      roleDefinitionId: 'r-1',
      principalId: 'u-1',
      directoryScopeId: '/administrativeUnits/x',
      tenantId: 't-1',
    },
    { sets: ['az-role-eligibility R-1@T-1'] },
  ],
  [
    'AZRoleManagementPolicyAssignment',
    'approval by named users and groups',
    {
      roleDefinitionId: 'r-1',
      tenantId: 't-1',
      endUserAssignmentRequiresApproval: true,
      endUserAssignmentUserApprovers: ['u-1'],
      endUserAssignmentGroupApprovers: ['g-1'],
      endUserAssignmentRequiresMFA: true,
    },
    {
      nodes: ['AZRole R-1@T-1'],
      edges: ['U-1 AZRoleApprover R-1@T-1', 'G-1 AZRoleApprover R-1@T-1'],
      properties: {
        roledefinitionid: 'R-1',
        tenantid: 'T-1',
        enduserassignmentrequiresapproval: true,
        enduserassignmentrequirescapauthenticationcontext: false,
        enduserassignmentuserapprovers: ['U-1'],
        enduserassignmentgroupapprovers: ['G-1'],
        enduserassignmentrequiresmfa: true,
        enduserassignmentrequiresjustification: false,
        enduserassignmentrequiresticketinformation: false,
      },
    },
  ],
  [
    'AZRoleManagementPolicyAssignment',
    'approval by no one in particular falls to Privileged Role Administrators',
    { roleDefinitionId: 'r-1', tenantId: 't-1', endUserAssignmentRequiresApproval: true },
    {
      nodes: ['AZRole R-1@T-1'],
      edges: ['E8611AB8-C189-46E8-94E1-60213AB1F814@T-1 AZRoleApprover R-1@T-1'],
    },
  ],
  [
    'AZRoleManagementPolicyAssignment',
    'no approval, no edge',
    { roleDefinitionId: 'r-1', tenantId: 't-1', endUserAssignmentUserApprovers: ['u-1'] },
    { nodes: ['AZRole R-1@T-1'], sets: ['az-role-approvers R-1@T-1'] },
  ],
];

const HIERARCHY: readonly Row[] = [
  [
    'AZManagementGroup',
    'a management group; its name is set by analysis',
    { id: '/providers/mg/x', properties: { displayName: 'Root', tenantId: 't-1' }, tenantId: 't-1' },
    {
      nodes: ['AZManagementGroup /PROVIDERS/MG/X'],
      edges: ['T-1 AZContains /PROVIDERS/MG/X'],
      properties: { displayname: 'ROOT', tenantid: 'T-1' },
    },
  ],
  [
    'AZManagementGroupDescendant',
    'a child hangs below its parent',
    { id: '/subscriptions/1', properties: { parent: { id: '/providers/mg/x' } } },
    { edges: ['/PROVIDERS/MG/X AZContains /SUBSCRIPTIONS/1'], sets: ['az-parent /SUBSCRIPTIONS/1'] },
  ],
  [
    'AZSubscription',
    'a subscription',
    { id: '/subscriptions/1', subscriptionId: '1', displayName: 'Prod', tenantId: 't-1' },
    {
      nodes: ['AZSubscription /SUBSCRIPTIONS/1'],
      edges: ['T-1 AZContains /SUBSCRIPTIONS/1'],
      properties: { displayname: 'Prod', name: 'PROD', tenantid: 'T-1' },
    },
  ],
  ...['/SUBSCRIPTIONS/1', '1'].map(
    (subscriptionId): Row => [
      'AZResourceGroup',
      `a resource group of ${subscriptionId}`,
      { id: '/subscriptions/1/resourceGroups/rg', name: 'rg', subscriptionId, tenantId: 't-1' },
      {
        nodes: ['AZResourceGroup /SUBSCRIPTIONS/1/RESOURCEGROUPS/RG'],
        edges: ['/SUBSCRIPTIONS/1 AZContains /SUBSCRIPTIONS/1/RESOURCEGROUPS/RG'],
        properties: { name: 'RG', tenantid: 'T-1' },
      },
    ],
  ),
];

const SCOPE_LISTS = [
  ['Owner', 'owners', 'owner', 'AZOwner'],
  ['Contributor', 'contributors', 'contributor', 'AZContributor'],
  ['UserAccessAdmin', 'userAccessAdmins', 'userAccessAdmin', 'AZUserAccessAdministrator'],
] as const;
const SCOPES = [
  ['AZManagementGroup', 'managementGroupId'],
  ['AZSubscription', 'subscriptionId'],
  ['AZResourceGroup', 'resourceGroupId'],
  ['AZKeyVault', 'keyVaultId'],
  ['AZVM', 'virtualMachineId'],
] as const;
const SPECIAL_LISTS = [
  ['AZKeyVaultKVContributor', 'keyVaultId', 'kvContributors', 'kvContributor', 'AZKeyVaultContributor'],
  ['AZVMVMContributor', 'virtualMachineId', 'vmContributors', 'vmContributor', 'AZVMContributor'],
  ['AZVMAdminLogin', 'virtualMachineId', 'adminLogins', 'adminLogin', 'AZVMAdminLogin'],
  ['AZVMAvereContributor', 'virtualMachineId', 'avereContributors', 'avereContributor', 'AZAvereContributor'],
] as const;

const scopeRow = (kind: string, idField: string, list: string, entry: string, edge: string): Row => [
  kind,
  'only assignments made on the scope itself, in any case',
  {
    [idField]: '/Scope/1',
    [list]: [
      { [idField]: '/Scope/1', [entry]: assignment('p-1', '/scope/1') },
      { [idField]: '/Scope/1', [entry]: assignment('p-2', '/scope') },
    ],
  },
  { edges: [`P-1 ${edge} /SCOPE/1`] },
];

const RESOURCE_ROLES = [
  ['AZVMScaleSetRoleAssignment', 'AZVMContributor'],
  ['AZFunctionAppRoleAssignment', 'AZWebsiteContributor'],
  ['AZWebAppRoleAssignment', 'AZWebsiteContributor'],
  ['AZLogicAppRoleAssignment', 'AZLogicAppContributor'],
  ['AZAutomationAccountRoleAssignment', 'AZAutomationContributor'],
  ['AZContainerRegistryRoleAssignment', undefined],
  ['AZManagedClusterRoleAssignment', 'AZAKSContributor'],
] as const;

const resource = { id: '/Res/1', name: 'res', tenantId: 't-1', resourceGroupId: '/RG' };
const identity = {
  principalId: 's-1',
  userAssignedIdentities: {
    one: { clientId: 'c', principalId: 's-2' },
    two: { clientId: '', principalId: 's-3' },
  },
};

const RESOURCES: readonly Row[] = [
  [
    'AZKeyVault',
    'a vault',
    {
      id: '/Vault',
      name: 'v',
      tenantId: 't-1',
      resourceGroup: '/RG',
      properties: { enableRbacAuthorization: true },
    },
    {
      nodes: ['AZKeyVault /VAULT'],
      edges: ['/RG AZContains /VAULT'],
      properties: { name: 'V', tenantid: 'T-1', enablerbacauthorization: true },
    },
  ],
  [
    'AZKeyVaultAccessPolicy',
    'Get on secrets only',
    { keyVaultId: '/Vault', objectId: 'p-1', permissions: { secrets: ['Get', 'List'], keys: ['List'] } },
    { edges: ['P-1 AZGetSecrets /VAULT'], sets: ['az-access-policies /VAULT'] },
  ],
  [
    'AZKeyVaultAccessPolicy',
    'other spellings and all',
    {
      keyVaultId: '/Vault',
      objectId: 'p-1',
      permissions: { certificates: ['all'], keys: ['get'], storage: ['get'] },
    },
    { edges: ['P-1 AZGetCertificates /VAULT', 'P-1 AZGetKeys /VAULT'] },
  ],
  [
    'AZVM',
    'a machine with identities',
    { ...resource, identity, properties: { storageProfile: { osDisk: { osType: 'Linux' } } } },
    {
      nodes: ['AZVM /RES/1'],
      edges: ['/RG AZContains /RES/1', '/RES/1 AZManagedIdentity S-1', '/RES/1 AZManagedIdentity S-2'],
      sets: ['az-container /RES/1', 'az-managed-identity /RES/1'],
      properties: { name: 'RES', tenantid: 'T-1', operatingsystem: 'LINUX' },
    },
  ],
  ...[
    'AZVMScaleSet',
    'AZFunctionApp',
    'AZWebApp',
    'AZLogicApp',
    'AZAutomationAccount',
    'AZContainerRegistry',
  ].flatMap((kind): Row[] => [
    [
      kind,
      'with identities',
      { ...resource, identity },
      {
        nodes: [`${kind} /RES/1`],
        edges: ['/RG AZContains /RES/1', '/RES/1 AZManagedIdentity S-1', '/RES/1 AZManagedIdentity S-2'],
        properties: { name: 'RES', tenantid: 'T-1' },
      },
    ],
    [
      kind,
      'without an identity',
      resource,
      {
        nodes: [`${kind} /RES/1`],
        edges: ['/RG AZContains /RES/1'],
        sets: ['az-container /RES/1', 'az-managed-identity /RES/1'],
      },
    ],
  ]),
  ...['/SUBSCRIPTIONS/1', '1'].map(
    (subscriptionId): Row => [
      'AZManagedCluster',
      `its node resource group, subscription as ${subscriptionId}`,
      { ...resource, identity, subscriptionId, properties: { nodeResourceGroup: 'nodes' } },
      {
        nodes: ['AZManagedCluster /RES/1'],
        edges: ['/RG AZContains /RES/1', '/RES/1 AZNodeResourceGroup /SUBSCRIPTIONS/1/RESOURCEGROUPS/NODES'],
        properties: {
          name: 'RES',
          tenantid: 'T-1',
          noderesourcegroupid: '/SUBSCRIPTIONS/1/RESOURCEGROUPS/NODES',
        },
      },
    ],
  ),
  ...SCOPES.flatMap(([kind, idField]) =>
    SCOPE_LISTS.map(([suffix, list, entry, edge]) =>
      scopeRow(`${kind}${suffix}`, idField, list, entry, edge),
    ),
  ),
  ...SPECIAL_LISTS.map(([kind, idField, list, entry, edge]) => scopeRow(kind, idField, list, entry, edge)),
  ...RESOURCE_ROLES.map(
    ([kind, specific]): Row => [
      kind,
      'every known role, of which those that matter make an edge',
      {
        objectId: '/Res/1',
        assignees: [
          ...[...RM_ROLE_EDGES.keys()].map((roleDefinitionId) => ({
            objectId: '/Res/1',
            roleDefinitionId: roleDefinitionId.toUpperCase(),
            assignee: assignment('p-1', '/res/1'),
          })),
          {
            objectId: '/Res/1',
            roleDefinitionId: '8e3af657-a8ff-443c-a75c-2fe8c4bcb635',
            assignee: assignment('p-2', '/subscriptions/1'),
          },
        ],
      },
      {
        edges: [
          'AZOwner',
          'AZUserAccessAdministrator',
          'AZContributor',
          ...(specific === undefined ? [] : [specific]),
        ].map((edge) => `P-1 ${edge} /RES/1`),
        sets: ['az-role-assignments /RES/1'],
      },
    ],
  ),
];

const NOTHING: readonly Row[] = [
  'AZAppMember',
  'AZKeyVaultRoleAssignment',
  'AZManagementGroupRoleAssignment',
  'AZResourceGroupRoleAssignment',
  'AZSubscriptionRoleAssignment',
  'AZVMRoleAssignment',
  'AZStorageAccount',
  'AZStorageAccountRoleAssignment',
  'AZStorageContainer',
].map((kind): Row => [kind, 'makes nothing', { id: 'x' }, {}]);

const ROWS = [...DIRECTORY, ...APPLICATIONS, ...ROLES, ...HIERARCHY, ...RESOURCES, ...NOTHING];

function convert(kind: string, data: unknown) {
  const facts = convertAzureItem({ kind, data }, 7);
  return {
    facts,
    nodes: facts.nodes.map((node) => `${node.kinds.at(-1)} ${node.objectId}`),
    edges: facts.edgeSets
      .flatMap((set) => set.edges)
      .map((edge) => {
        const properties = edge.properties === undefined ? '' : ` ${JSON.stringify(edge.properties)}`;
        return `${edge.startId} ${edge.kind} ${edge.endId}${properties}`;
      }),
    sets: facts.edgeSets.map((set) => `${set.aspect} ${set.ownerId}`),
  };
}

describe('an AzureHound item', () => {
  test.each(ROWS)('%s: %s', (kind, _what, data, expected) => {
    const converted = convert(kind, data);
    expect(converted.facts.issues.filter((issue) => issue.severity === 'rejected')).toEqual([]);
    expect(converted.nodes).toEqual(expected.nodes ?? []);
    expect(converted.edges.sort()).toEqual([...(expected.edges ?? [])].sort());
    if (expected.sets !== undefined) expect(converted.sets.sort()).toEqual([...expected.sets].sort());
    if (expected.properties !== undefined) {
      expect(converted.facts.nodes[0].properties).toEqual(expected.properties);
    }
  });

  test('of every kind in the table has a row above, and every collected edge kind is made', () => {
    expect(new Set(ROWS.map(([kind]) => kind))).toEqual(new Set(Object.keys(AZURE_CONVERTERS)));
    const made = new Set(
      ROWS.flatMap(([kind, , data]) => convertAzureItem({ kind, data }, 0).edgeSets)
        .flatMap((set) => set.edges)
        .map((edge) => edge.kind),
    );
    // In the schema, produced by nothing (`docs/reference/collections.md#kinds`).
    const unused = ['AZGrant', 'AZGrantSelf', 'AZScopedTo'];
    const collected = EDGE_KINDS.filter((kind) => kind.platform === 'azure' && kind.origin !== 'derived')
      .map((kind) => kind.name)
      .filter((name) => !unused.includes(name));
    process.stdout.write(`azure edge kinds made by the reader: ${made.size} of ${collected.length}\n`);
    expect([...made].sort()).toEqual(collected.sort());
  });

  test.each<[string, unknown, string]>([
    ['no object', 5, 'the item is not an object'],
    ['no kind', { data: {} }, 'the item has no kind'],
    ['no data', { kind: 'AZUser' }, 'the item has no data object'],
    ['no id', { kind: 'AZUser', data: { displayName: 'x' } }, 'id is missing'],
    ['an id of the wrong type', { kind: 'AZUser', data: { id: 5 } }, 'id is not a text'],
    [
      'a list of the wrong type',
      { kind: 'AZGroupMember', data: { groupId: 'g', members: 'x' } },
      'members is not a list of objects',
    ],
    [
      'a flag of the wrong type',
      { kind: 'AZUser', data: { id: 'u', accountEnabled: 'yes' } },
      'accountEnabled is not a boolean',
    ],
  ])('with %s is rejected with its place and reason', (_, item, reason) => {
    const facts = convertAzureItem(item, 7);
    expect(facts).toMatchObject({
      nodes: [],
      edgeSets: [],
      issues: [{ severity: 'rejected', index: 7, reason }],
    });
  });

  test.each(['AZNew', 'toString', '__proto__', 'constructor'])(
    'of unknown kind %s is noted, not fatal',
    (kind) => {
      expect(convertAzureItem({ kind, data: { id: 'x' } }, 1)).toMatchObject({
        nodes: [],
        edgeSets: [],
        issues: [{ severity: 'note', reason: `items of kind "${kind}" are not known and were left out` }],
      });
    },
  );

  test('reads members whatever their case, as older collectors wrote them', () => {
    expect(
      convert('AZGroupOwner', { GROUPID: 'g', Owners: [{ OWNER: principal('USER', 'u') }] }).edges,
    ).toEqual(['U AZOwns G']);
  });

  test('never breaks, whatever JSON it is', () => {
    const kinds = fc.constantFrom(...Object.keys(AZURE_CONVERTERS));
    const data = fc.oneof(fc.jsonValue(), fc.constantFrom(...ROWS.map(([, , row]) => row)).chain(mutated));
    fc.assert(
      fc.property(kinds, data, (kind, value) => {
        const facts = convertAzureItem({ kind, data: value }, 0);
        for (const node of facts.nodes) expect(node.objectId).not.toBe('');
        for (const edge of facts.edgeSets.flatMap((set) => set.edges)) {
          expect(edge.startId).not.toBe('');
          expect(edge.endId).not.toBe('');
        }
      }),
    );
  });
});

/** The object with one of its members replaced by any JSON. */
function mutated(value: object): fc.Arbitrary<object> {
  const keys = Object.keys(value);
  if (keys.length === 0) return fc.constant(value);
  return fc
    .tuple(fc.constantFrom(...keys), fc.jsonValue())
    .map(([key, replacement]) => ({ ...value, [key]: replacement }));
}
