/** The Resource Manager hierarchy and its resources. Rules: `docs/reference/azurehound.md#resources`. */
import type { PropertyValue } from '@clew/model';
import { containInTenant } from './directory.ts';
import type { AzureFacts, End } from './facts.ts';
import { flag, type Item, id, isRecord, member, record, text, upper } from './fields.ts';

/** A collector may see resources of other tenants: the tenant in the record's own properties takes precedence over the collector's. */
function tenantOf(item: Item): string {
  const properties = member(item, 'properties');
  const own = isRecord(properties) ? upper(properties, 'tenantId') : '';
  return own === '' ? upper(item, 'tenantId') : own;
}

/** Analysis sets its `name`, because it knows the name of the tenant. */
export function convertManagementGroup(item: Item, facts: AzureFacts): void {
  const tenantId = tenantOf(item);
  const group = facts.describe('AZManagementGroup', id(item, 'id'), {
    displayname: upper(record(item, 'properties'), 'displayName'),
    tenantid: tenantId,
  });
  containInTenant({ tenantId }, facts, group);
}

export function convertManagementGroupDescendant(item: Item, facts: AzureFacts): void {
  const child: End = { kind: 'AZBase', id: id(item, 'id') };
  const parent: End = {
    kind: 'AZManagementGroup',
    id: id(record(record(item, 'properties'), 'parent'), 'id'),
  };
  facts.edge(child, 'az-parent', parent, 'AZContains', child);
}

export function convertSubscription(item: Item, facts: AzureFacts): void {
  const subscription = facts.describe('AZSubscription', id(item, 'id'), {
    displayname: text(item, 'displayName'),
    name: upper(item, 'displayName'),
    tenantid: upper(item, 'tenantId'),
  });
  containInTenant(item, facts, subscription);
}

export function convertResourceGroup(item: Item, facts: AzureFacts): void {
  const group = facts.describe('AZResourceGroup', id(item, 'id'), {
    name: upper(item, 'name'),
    tenantid: upper(item, 'tenantId'),
  });
  const subscription = subscriptionId(upper(item, 'subscriptionId'));
  if (subscription === '') facts.notes.push('subscriptionId is missing');
  else facts.edge(group, 'az-container', { kind: 'AZSubscription', id: subscription }, 'AZContains', group);
}

export function convertKeyVault(item: Item, facts: AzureFacts): void {
  describeResource('AZKeyVault', 'resourceGroup', item, facts, {
    enablerbacauthorization: flag(record(item, 'properties'), 'enableRbacAuthorization'),
  });
}

export function convertVirtualMachine(item: Item, facts: AzureFacts): void {
  const disk = record(record(record(item, 'properties'), 'storageProfile'), 'osDisk');
  const machine = describeResource('AZVM', 'resourceGroupId', item, facts, {
    operatingsystem: upper(disk, 'osType'),
  });
  assignIdentities(item, facts, machine);
}

/** A resource with a managed identity and no other specific members. */
export function convertResource(kind: string) {
  return (item: Item, facts: AzureFacts): void => {
    assignIdentities(item, facts, describeResource(kind, 'resourceGroupId', item, facts, {}));
  };
}

export function convertManagedCluster(item: Item, facts: AzureFacts): void {
  const nodeGroupName = text(record(item, 'properties'), 'nodeResourceGroup');
  const subscription = subscriptionId(upper(item, 'subscriptionId'));
  // The id of the node resource group: the collector may write the subscription with or without its prefix.
  const nodeGroup =
    nodeGroupName === '' || subscription === ''
      ? ''
      : `${subscription}/RESOURCEGROUPS/${nodeGroupName.toUpperCase()}`;
  const cluster = describeResource('AZManagedCluster', 'resourceGroupId', item, facts, {
    noderesourcegroupid: nodeGroup,
  });
  facts.enumerate(cluster, 'az-node-resource-group');
  if (nodeGroup === '') return;
  facts.edge(cluster, 'az-node-resource-group', cluster, 'AZNodeResourceGroup', {
    kind: 'AZResourceGroup',
    id: nodeGroup,
  });
}

function describeResource(
  kind: string,
  groupField: string,
  item: Item,
  facts: AzureFacts,
  properties: Record<string, PropertyValue>,
): End {
  const resource = facts.describe(kind, id(item, 'id'), {
    name: upper(item, 'name'),
    tenantid: tenantOf(item),
    ...properties,
  });
  const group = upper(item, groupField);
  if (group === '') facts.notes.push(`${groupField} is missing`);
  else facts.edge(resource, 'az-container', { kind: 'AZResourceGroup', id: group }, 'AZContains', resource);
  return resource;
}

/** MI(resource) of `docs/reference/azurehound.md#managed-identities`. */
function assignIdentities(item: Item, facts: AzureFacts, resource: End): void {
  facts.enumerate(resource, 'az-managed-identity');
  const identity = record(item, 'identity');
  const principals = [upper(identity, 'principalId')];
  for (const assigned of Object.values(record(identity, 'userAssignedIdentities'))) {
    if (
      isRecord(assigned) &&
      member(assigned, 'clientId') !== undefined &&
      text(assigned, 'clientId') !== ''
    ) {
      principals.push(upper(assigned, 'principalId'));
    }
  }
  for (const principal of principals) {
    if (principal === '') continue;
    facts.edge(resource, 'az-managed-identity', resource, 'AZManagedIdentity', {
      kind: 'AZServicePrincipal',
      id: principal,
    });
  }
}

/** `/SUBSCRIPTIONS/GUID` from this or a bare GUID, in upper case. */
function subscriptionId(value: string): string {
  if (value === '' || value.startsWith('/')) return value;
  return `/SUBSCRIPTIONS/${value}`;
}
