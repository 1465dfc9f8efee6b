/** Kinds of Azure resources with the calls that list them, and the roles that AzureHound records distinguish. */
import type { Item } from './graphClient.ts';

export interface ResourceType {
  readonly what: string;
  /** Namespace and type in Resource Manager calls. */
  readonly provider: string;
  readonly version: string;
  /** @returns undefined for a resource that records do not contain */
  readonly kindOf: (resource: Item) => string | undefined;
}

const always = (kind: string) => (): string => kind;

/** Logic apps, function apps and web apps have one type, and differ in `kind`. */
function kindOfSite({ kind }: Item): string {
  const words = String(kind ?? '').toLowerCase();
  if (words.includes('workflowapp')) return 'AZLogicApp';
  return words.includes('functionapp') ? 'AZFunctionApp' : 'AZWebApp';
}

export const RESOURCE_TYPES: readonly ResourceType[] = [
  {
    ...{ what: 'vaults', provider: 'Microsoft.KeyVault/vaults', version: '2022-07-01' },
    kindOf: always('AZKeyVault'),
  },
  {
    ...{ what: 'machines', provider: 'Microsoft.Compute/virtualMachines', version: '2023-03-01' },
    kindOf: always('AZVM'),
  },
  {
    ...{ what: 'scale sets', provider: 'Microsoft.Compute/virtualMachineScaleSets', version: '2023-03-01' },
    kindOf: always('AZVMScaleSet'),
  },
  { what: 'apps', provider: 'Microsoft.Web/sites', version: '2022-03-01', kindOf: kindOfSite },
  {
    ...{ what: 'logic apps', provider: 'Microsoft.Logic/workflows', version: '2019-05-01' },
    kindOf: always('AZLogicApp'),
  },
  {
    what: 'automation accounts',
    ...{ provider: 'Microsoft.Automation/automationAccounts', version: '2021-06-22' },
    kindOf: always('AZAutomationAccount'),
  },
  {
    what: 'container registries',
    ...{ provider: 'Microsoft.ContainerRegistry/registries', version: '2023-07-01' },
    kindOf: always('AZContainerRegistry'),
  },
  {
    what: 'clusters',
    ...{ provider: 'Microsoft.ContainerService/managedClusters', version: '2023-07-01' },
    kindOf: always('AZManagedCluster'),
  },
];

export interface ScopeRole {
  /** Suffix of record kinds, after the kind of the object. */
  readonly suffix: string;
  /** Id of the role definition, equal in all tenants. */
  readonly role: string;
  readonly list: string;
  readonly entry: string;
}

const OWNER: ScopeRole = {
  ...{ suffix: 'Owner', role: '8e3af657-a8ff-443c-a75c-2fe8c4bcb635' },
  ...{ list: 'owners', entry: 'owner' },
};
const CONTRIBUTOR: ScopeRole = {
  ...{ suffix: 'Contributor', role: 'b24988ac-6180-42a0-ab88-20f7382dd24c' },
  ...{ list: 'contributors', entry: 'contributor' },
};
const ACCESS_ADMINISTRATOR: ScopeRole = {
  ...{ suffix: 'UserAccessAdmin', role: '18d7d88d-d35e-4fb5-a5c3-7773c20a72d9' },
  ...{ list: 'userAccessAdmins', entry: 'userAccessAdmin' },
};

export const SCOPE_ROLES: readonly ScopeRole[] = [OWNER, CONTRIBUTOR, ACCESS_ADMINISTRATOR];
export const VAULT_ROLES: readonly ScopeRole[] = [
  ...SCOPE_ROLES,
  {
    ...{ suffix: 'KVContributor', role: 'f25e0fa2-a7c8-4377-a976-54943a77a395' },
    ...{ list: 'kvContributors', entry: 'kvContributor' },
  },
];
export const MACHINE_ROLES: readonly ScopeRole[] = [
  ...SCOPE_ROLES,
  {
    ...{ suffix: 'VMContributor', role: '9980e02c-c2be-4d73-94e8-173b1dc7cf3c' },
    ...{ list: 'vmContributors', entry: 'vmContributor' },
  },
  {
    ...{ suffix: 'AdminLogin', role: '1c0163c0-47e6-4577-8991-ea5c82e286e4' },
    ...{ list: 'adminLogins', entry: 'adminLogin' },
  },
  {
    ...{ suffix: 'AvereContributor', role: '4f8fab4f-1852-4a58-a46a-8eaf358af14a' },
    ...{ list: 'avereContributors', entry: 'avereContributor' },
  },
];
