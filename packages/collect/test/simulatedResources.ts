/** A simulated Azure Resource Manager: lists by path, with objects as in its public documentation. */

type Item = Record<string, unknown>;

const SUBSCRIPTION_ID = '00000000-1111-4000-8000-000000000001';
export const SUBSCRIPTION = `/subscriptions/${SUBSCRIPTION_ID}`;
export const GROUP = `${SUBSCRIPTION}/resourceGroups/Production`;
const MANAGEMENT_GROUPS = '/providers/Microsoft.Management/managementGroups';
/** The name of the root management group is the tenant id. */
const ROOT_NAME = '00000009-0000-4000-8000-000000000001';
export const MANAGEMENT_GROUP = `${MANAGEMENT_GROUPS}/${ROOT_NAME}`;
export const INNER_GROUP = `${MANAGEMENT_GROUPS}/inner`;
export const VAULT = `${GROUP}/providers/Microsoft.KeyVault/vaults/keys`;
export const MACHINE = `${GROUP}/providers/Microsoft.Compute/virtualMachines/web1`;
export const SITE = `${GROUP}/providers/Microsoft.Web/sites/jobs`;

/** Assigned roles, by definition id. */
const ROLE = {
  accessAdministrator: '18d7d88d-d35e-4fb5-a5c3-7773c20a72d9',
  owner: '8e3af657-a8ff-443c-a75c-2fe8c4bcb635',
  vmContributor: '9980e02c-c2be-4d73-94e8-173b1dc7cf3c',
  websiteContributor: 'de139f84-1756-47ae-9be6-808fbbe84772',
  reader: 'acdd72a7-3385-48ef-bd42-f606fba81ae7',
} as const;

const assignment = (scope: string, role: keyof typeof ROLE, principalId: string): Item => ({
  id: `${scope}/providers/Microsoft.Authorization/roleAssignments/${principalId}`,
  properties: {
    roleDefinitionId: `${SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/${ROLE[role]}`,
    ...{ principalId, principalType: 'User', scope },
  },
});

/** @param user id of a user by its number */
export function resourceLists(
  tenant: string,
  user: (number: number) => string,
): Readonly<Record<string, readonly Item[]>> {
  const below = (provider: string): string => `${SUBSCRIPTION}/providers/${provider}`;
  const onRoot = assignment(MANAGEMENT_GROUP, 'owner', user(11));
  const elevated = assignment('/', 'accessAdministrator', user(19));
  const rolesOf = (scope: string): string => `${scope}/providers/Microsoft.Authorization/roleAssignments`;
  return {
    '/subscriptions': [
      { id: SUBSCRIPTION, subscriptionId: SUBSCRIPTION_ID, displayName: 'Main', tenantId: tenant },
    ],
    [MANAGEMENT_GROUPS]: [
      { id: MANAGEMENT_GROUP, name: ROOT_NAME, properties: { displayName: 'Root', tenantId: tenant } },
      { id: INNER_GROUP, name: 'inner', properties: { displayName: 'Inner', tenantId: tenant } },
    ],
    [`${MANAGEMENT_GROUP}/descendants`]: [
      { id: INNER_GROUP, name: 'inner', properties: { parent: { id: MANAGEMENT_GROUP } } },
      { id: SUBSCRIPTION, name: SUBSCRIPTION_ID, properties: { parent: { id: MANAGEMENT_GROUP } } },
    ],
    [`${INNER_GROUP}/descendants`]: [],
    // Each list also contains the assignments of parent scopes.
    [rolesOf(MANAGEMENT_GROUP)]: [onRoot, elevated],
    [rolesOf(INNER_GROUP)]: [onRoot, elevated],
    [rolesOf(SUBSCRIPTION)]: [
      ...[onRoot, elevated],
      assignment(SUBSCRIPTION, 'owner', user(12)),
      assignment(SUBSCRIPTION, 'reader', user(13)),
      assignment(GROUP, 'owner', user(14)),
      assignment(MACHINE.toLowerCase(), 'vmContributor', user(15)),
      assignment(SITE, 'websiteContributor', user(16)),
    ],
    [`${SUBSCRIPTION}/resourcegroups`]: [{ id: GROUP, name: 'Production' }],
    [below('Microsoft.KeyVault/vaults')]: [
      {
        ...{ id: VAULT, name: 'keys' },
        properties: {
          tenantId: tenant,
          accessPolicies: [
            { tenantId: tenant, objectId: user(17), permissions: { secrets: ['Get', 'List'] } },
          ],
        },
      },
    ],
    [below('Microsoft.Compute/virtualMachines')]: [
      {
        ...{ id: MACHINE, name: 'web1', identity: { type: 'SystemAssigned', principalId: user(18) } },
        properties: { storageProfile: { osDisk: { osType: 'Linux' } } },
      },
    ],
    [below('Microsoft.Web/sites')]: [{ id: SITE, name: 'jobs', kind: 'functionapp,linux' }],
    ...Object.fromEntries(
      [
        ...['Microsoft.Compute/virtualMachineScaleSets', 'Microsoft.Logic/workflows'],
        ...['Microsoft.Automation/automationAccounts', 'Microsoft.ContainerRegistry/registries'],
        'Microsoft.ContainerService/managedClusters',
      ].map((provider) => [below(provider), []]),
    ),
  };
}
