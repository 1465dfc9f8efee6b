/** Management groups, subscriptions, resources, and kinds without facts. */
import { RM_ROLE_EDGES } from '../../src/azurehound/constants.ts';
import { assignment, type ItemRow } from './itemRow.ts';

export const HIERARCHY_ITEMS: readonly ItemRow[] = [
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
    (subscriptionId): ItemRow => [
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

const scopeRow = (kind: string, idField: string, list: string, entry: string, edge: string): ItemRow => [
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

export const RESOURCE_ITEMS: readonly ItemRow[] = [
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
  ].flatMap((kind): ItemRow[] => [
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
    (subscriptionId): ItemRow => [
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
    ([kind, specific]): ItemRow => [
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

export const SILENT_ITEMS: readonly ItemRow[] = [
  'AZAppMember',
  'AZKeyVaultRoleAssignment',
  'AZManagementGroupRoleAssignment',
  'AZResourceGroupRoleAssignment',
  'AZSubscriptionRoleAssignment',
  'AZVMRoleAssignment',
  'AZStorageAccount',
  'AZStorageAccountRoleAssignment',
  'AZStorageContainer',
].map((kind): ItemRow => [kind, 'makes nothing', { id: 'x' }, {}]);
