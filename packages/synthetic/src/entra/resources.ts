/** Management groups, subscriptions, resource groups and their contents. */
import { isPowerful } from './applications.ts';
import { type AzureItem, azureItem, scopeRoleItem } from './items.ts';
import { everydayAccount, hasTenantFlaw } from './tenantFlaws.ts';
import {
  managementGroupId,
  resourceGroupId,
  subscriptionId,
  subscriptionOf,
  type TenantPlan,
  tenantGuid,
} from './tenantPlan.ts';

const OWNERS = ['owners', 'owner'] as const;
const CONTRIBUTORS = ['contributors', 'contributor'] as const;
const ACCESS_ADMINS = ['userAccessAdmins', 'userAccessAdmin'] as const;

/** @returns the resource groups with a resource that runs with the identity of a powerful application: rights of a team there are a flaw */
function powerfulGroups(plan: TenantPlan): Set<number> {
  const { app, automationAccount, resourceGroup, virtualMachine } = plan.counts;
  const found = new Set<number>();
  if (automationAccount > 0 && isPowerful(plan, AUTOMATION_APP)) found.add(0);
  for (let index = 0; index < virtualMachine; index += VIRTUAL_MACHINES_PER_IDENTITY)
    if (isPowerful(plan, index % app)) found.add(index % resourceGroup);
  return found;
}

/** The first automation account runs with the identity of a powerful application. */
const AUTOMATION_APP = 1;
const VIRTUAL_MACHINES_PER_IDENTITY = 4;

export function* makeHierarchy(plan: TenantPlan): Generator<AzureItem> {
  const { tenantId } = plan;
  const powerful = new Set([...powerfulGroups(plan)].map(subscriptionOf));
  for (let index = 0; index < plan.counts.managementGroup; index++) {
    const id = managementGroupId(index);
    const displayName = ['Tenant root', 'Platform', 'Landing zones'][index];
    yield azureItem('AZManagementGroup', { id, properties: { displayName, tenantId }, tenantId });
    if (index > 0) yield descendant(id, managementGroupId(0));
    const owners = index === 0 ? [tenantGuid(plan, 'roleGroup', 0)] : [];
    yield scopeRoleItem('AZManagementGroupOwner', 'managementGroupId', id, OWNERS, owners);
    yield scopeRoleItem('AZManagementGroupUserAccessAdmin', 'managementGroupId', id, ACCESS_ADMINS, []);
  }
  for (let index = 0; index < plan.counts.subscription; index++) {
    const id = subscriptionId(plan, index);
    const guid = tenantGuid(plan, 'subscription', index);
    yield azureItem('AZSubscription', {
      ...{ id, subscriptionId: guid, displayName: `Subscription ${index + 1}`, tenantId },
    });
    yield descendant(id, managementGroupId(index === 0 ? 1 : 2));
    const team = tenantGuid(plan, 'group', index % plan.counts.group);
    const owners = !powerful.has(index) || hasTenantFlaw(plan, 'team-owns-subscription', index) ? [team] : [];
    yield scopeRoleItem('AZSubscriptionOwner', 'subscriptionId', id, OWNERS, owners);
    // Flaw: one everyday account may grant rights on a subscription.
    const admins =
      index % 5 === 1 && hasTenantFlaw(plan, 'person-grants-rights', index)
        ? [everydayAccount(plan, 'person-grants-rights', index)]
        : [];
    yield scopeRoleItem('AZSubscriptionUserAccessAdmin', 'subscriptionId', id, ACCESS_ADMINS, admins);
  }
}

const descendant = (id: string, parent: string): AzureItem =>
  azureItem('AZManagementGroupDescendant', { id, properties: { parent: { id: parent } } });

export function* makeResources(plan: TenantPlan): Generator<AzureItem> {
  const powerful = powerfulGroups(plan);
  for (let index = 0; index < plan.counts.resourceGroup; index++) {
    const id = resourceGroupId(plan, index);
    const subscription = subscriptionId(plan, subscriptionOf(index));
    const { tenantId } = plan;
    yield azureItem('AZResourceGroup', {
      ...{ id, name: id.slice(id.lastIndexOf('/') + 1), subscriptionId: subscription, tenantId },
    });
    const team = tenantGuid(plan, 'group', (index * 3 + 1) % plan.counts.group);
    const contributors = !powerful.has(index) || hasTenantFlaw(plan, 'team-contributes', index) ? [team] : [];
    yield scopeRoleItem('AZResourceGroupContributor', 'resourceGroupId', id, CONTRIBUTORS, contributors);
    yield* makeVault(plan, index);
  }
  for (let index = 0; index < plan.counts.virtualMachine; index++) yield makeMachine(plan, index);
  for (let index = 0; index < plan.counts.functionApp; index++) {
    yield resource(plan, 'AZFunctionApp', 'MICROSOFT.WEB/SITES', `FUNC-${index + 1}`, index * 2);
  }
  for (let index = 0; index < plan.counts.automationAccount; index++) {
    const kind = 'MICROSOFT.AUTOMATION/AUTOMATIONACCOUNTS';
    const identity =
      index === 0 ? { principalId: tenantGuid(plan, 'servicePrincipal', AUTOMATION_APP) } : undefined;
    yield resource(plan, 'AZAutomationAccount', kind, `AUTO-${index + 1}`, index * 8, { identity });
  }
}

function* makeVault(plan: TenantPlan, index: number): Generator<AzureItem> {
  const group = resourceGroupId(plan, index);
  const id = `${group}/PROVIDERS/MICROSOFT.KEYVAULT/VAULTS/KV-${index + 1}`;
  yield azureItem('AZKeyVault', {
    ...{ id, name: `KV-${index + 1}`, resourceGroup: group, tenantId: plan.tenantId },
    properties: { enableRbacAuthorization: index % 2 === 0 },
  });
  if (index % 2 === 0) return;
  yield azureItem('AZKeyVaultAccessPolicy', {
    ...{ keyVaultId: id, tenantId: plan.tenantId },
    objectId: tenantGuid(plan, 'servicePrincipal', (index * 2) % plan.counts.app),
    permissions: { secrets: ['Get', 'List'], keys: ['List'] },
  });
}

function makeMachine(plan: TenantPlan, index: number): AzureItem {
  const kind = 'MICROSOFT.COMPUTE/VIRTUALMACHINES';
  const principalId = tenantGuid(plan, 'servicePrincipal', index % plan.counts.app);
  return resource(plan, 'AZVM', kind, `VM-${index + 1}`, index % plan.counts.resourceGroup, {
    properties: { storageProfile: { osDisk: { osType: index % 2 === 0 ? 'Linux' : 'Windows' } } },
    ...(index % VIRTUAL_MACHINES_PER_IDENTITY === 0 && {
      identity: { type: 'SystemAssigned', principalId, tenantId: plan.tenantId },
    }),
  });
}

function resource(
  plan: TenantPlan,
  kind: string,
  provider: string,
  name: string,
  resourceGroup: number,
  more: Readonly<Record<string, unknown>> = {},
): AzureItem {
  const group = resourceGroupId(plan, resourceGroup % plan.counts.resourceGroup);
  return azureItem(kind, {
    ...{
      id: `${group}/PROVIDERS/${provider}/${name}`,
      name,
      resourceGroupId: group,
      tenantId: plan.tenantId,
    },
    ...more,
  });
}
