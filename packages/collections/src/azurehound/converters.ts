/** The converters of all known AzureHound item kinds. */
import { convertKeyVaultAccessPolicy, convertResourceRoles, convertScopeRole } from './access.ts';
import {
  convertApp,
  convertAppRoleAssignment,
  convertFederatedCredentials,
  convertServicePrincipal,
} from './applications.ts';
import {
  convertDevice,
  convertGroup,
  convertGroupMembers,
  convertOwners,
  convertTenant,
  convertUser,
} from './directory.ts';
import type { AzureFacts } from './facts.ts';
import type { Item } from './fields.ts';
import {
  convertKeyVault,
  convertManagedCluster,
  convertManagementGroup,
  convertManagementGroupDescendant,
  convertResource,
  convertResourceGroup,
  convertSubscription,
  convertVirtualMachine,
} from './resources.ts';
import {
  convertAdministrativeUnit,
  convertRole,
  convertRoleAssignments,
  convertRoleEligibility,
  convertRolePolicy,
} from './roles.ts';

export type AzureConverter = (item: Item, facts: AzureFacts) => void;

/** Known item kinds that produce no facts (`docs/reference/azurehound.md#kinds-that-add-nothing`). */
const nothing: AzureConverter = () => {};

const owners = (idField: string, kind: string): AzureConverter =>
  convertScopeRole(idField, 'owners', 'owner', kind, 'az-scope-owners', 'AZOwner');
const contributors = (idField: string, kind: string): AzureConverter =>
  convertScopeRole(idField, 'contributors', 'contributor', kind, 'az-scope-contributors', 'AZContributor');
const accessAdmins = (idField: string, kind: string): AzureConverter =>
  convertScopeRole(
    idField,
    'userAccessAdmins',
    'userAccessAdmin',
    kind,
    'az-scope-access-admins',
    'AZUserAccessAdministrator',
  );

export const AZURE_CONVERTERS: Readonly<Record<string, AzureConverter>> = {
  AZTenant: convertTenant,
  AZUser: convertUser,
  AZGroup: convertGroup,
  AZGroupMember: convertGroupMembers,
  AZGroupOwner: convertOwners('groupId', 'AZGroup'),
  AZDevice: convertDevice,
  AZDeviceOwner: convertOwners('deviceId', 'AZDevice'),

  AZApp: convertApp,
  AZAppOwner: convertOwners('appId', 'AZApp'),
  AZFederatedIdentityCredential: convertFederatedCredentials,
  AZServicePrincipal: convertServicePrincipal,
  AZServicePrincipalOwner: convertOwners('servicePrincipalId', 'AZServicePrincipal'),
  AZAppRoleAssignment: convertAppRoleAssignment,

  AZAdministrativeUnit: convertAdministrativeUnit,
  AZRole: convertRole,
  AZRoleAssignment: convertRoleAssignments,
  AZRoleEligibilityScheduleInstance: convertRoleEligibility,
  AZRoleManagementPolicyAssignment: convertRolePolicy,

  AZManagementGroup: convertManagementGroup,
  AZManagementGroupDescendant: convertManagementGroupDescendant,
  AZManagementGroupOwner: owners('managementGroupId', 'AZManagementGroup'),
  AZManagementGroupContributor: contributors('managementGroupId', 'AZManagementGroup'),
  AZManagementGroupUserAccessAdmin: accessAdmins('managementGroupId', 'AZManagementGroup'),
  AZSubscription: convertSubscription,
  AZSubscriptionOwner: owners('subscriptionId', 'AZSubscription'),
  AZSubscriptionContributor: contributors('subscriptionId', 'AZSubscription'),
  AZSubscriptionUserAccessAdmin: accessAdmins('subscriptionId', 'AZSubscription'),
  AZResourceGroup: convertResourceGroup,
  AZResourceGroupOwner: owners('resourceGroupId', 'AZResourceGroup'),
  AZResourceGroupContributor: contributors('resourceGroupId', 'AZResourceGroup'),
  AZResourceGroupUserAccessAdmin: accessAdmins('resourceGroupId', 'AZResourceGroup'),

  AZKeyVault: convertKeyVault,
  AZKeyVaultAccessPolicy: convertKeyVaultAccessPolicy,
  AZKeyVaultOwner: owners('keyVaultId', 'AZKeyVault'),
  AZKeyVaultContributor: contributors('keyVaultId', 'AZKeyVault'),
  AZKeyVaultKVContributor: convertScopeRole(
    'keyVaultId',
    'kvContributors',
    'kvContributor',
    'AZKeyVault',
    'az-key-vault-contributors',
    'AZKeyVaultContributor',
  ),
  AZKeyVaultUserAccessAdmin: accessAdmins('keyVaultId', 'AZKeyVault'),

  AZVM: convertVirtualMachine,
  AZVMOwner: owners('virtualMachineId', 'AZVM'),
  AZVMContributor: contributors('virtualMachineId', 'AZVM'),
  AZVMVMContributor: convertScopeRole(
    'virtualMachineId',
    'vmContributors',
    'vmContributor',
    'AZVM',
    'az-vm-contributors',
    'AZVMContributor',
  ),
  AZVMUserAccessAdmin: accessAdmins('virtualMachineId', 'AZVM'),
  AZVMAdminLogin: convertScopeRole(
    'virtualMachineId',
    'adminLogins',
    'adminLogin',
    'AZVM',
    'az-vm-admin-logins',
    'AZVMAdminLogin',
  ),
  AZVMAvereContributor: convertScopeRole(
    'virtualMachineId',
    'avereContributors',
    'avereContributor',
    'AZVM',
    'az-vm-avere-contributors',
    'AZAvereContributor',
  ),

  AZVMScaleSet: convertResource('AZVMScaleSet'),
  AZVMScaleSetRoleAssignment: convertResourceRoles('AZVMScaleSet', 'AZVMContributor'),
  AZFunctionApp: convertResource('AZFunctionApp'),
  AZFunctionAppRoleAssignment: convertResourceRoles('AZFunctionApp', 'AZWebsiteContributor'),
  AZWebApp: convertResource('AZWebApp'),
  AZWebAppRoleAssignment: convertResourceRoles('AZWebApp', 'AZWebsiteContributor'),
  AZLogicApp: convertResource('AZLogicApp'),
  AZLogicAppRoleAssignment: convertResourceRoles('AZLogicApp', 'AZLogicAppContributor'),
  AZAutomationAccount: convertResource('AZAutomationAccount'),
  AZAutomationAccountRoleAssignment: convertResourceRoles('AZAutomationAccount', 'AZAutomationContributor'),
  AZContainerRegistry: convertResource('AZContainerRegistry'),
  AZContainerRegistryRoleAssignment: convertResourceRoles('AZContainerRegistry'),
  AZManagedCluster: convertManagedCluster,
  AZManagedClusterRoleAssignment: convertResourceRoles('AZManagedCluster', 'AZAKSContributor'),

  AZAppMember: nothing,
  AZKeyVaultRoleAssignment: nothing,
  AZManagementGroupRoleAssignment: nothing,
  AZResourceGroupRoleAssignment: nothing,
  AZSubscriptionRoleAssignment: nothing,
  AZVMRoleAssignment: nothing,
  AZStorageAccount: nothing,
  AZStorageAccountRoleAssignment: nothing,
  AZStorageContainer: nothing,
};
