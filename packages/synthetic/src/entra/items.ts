/**
 * Shapes of AzureHound items. Rule: `docs/reference/azurehound.md#values` and `docs/reference/azurehound.md#resources`. The collector omits
 * empty values.
 */
import type { TenantPlan } from './tenantPlan.ts';

export interface AzureItem {
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export const azureItem = (kind: string, data: Readonly<Record<string, unknown>>): AzureItem => ({
  kind,
  data: Object.fromEntries(Object.entries(data).filter(([, value]) => !isEmpty(value))),
});

function isEmpty(value: unknown): boolean {
  return value === false || value === '' || value === 0 || value === null || value === undefined;
}

/** An item of a directory object contains its tenant. */
export const tenantItem = (
  plan: TenantPlan,
  kind: string,
  data: Readonly<Record<string, unknown>>,
): AzureItem => azureItem(kind, { ...data, tenantId: plan.tenantId, tenantName: plan.name });

type DirectoryType = 'user' | 'group' | 'servicePrincipal' | 'device';

export const directoryObject = (type: DirectoryType, id: string) => ({
  '@odata.type': `#microsoft.graph.${type}`,
  id,
});

/** A list of related directory objects, such as members of groups or owners of applications. */
export function relationItem(
  kind: string,
  idField: string,
  id: string,
  list: 'members' | 'owners',
  objects: readonly object[],
): AzureItem {
  const entry = list === 'members' ? 'member' : 'owner';
  return azureItem(kind, {
    [idField]: id,
    [list]: objects.map((object) => ({ [idField]: id, [entry]: object })),
  });
}

/** Principals with one Resource Manager role on one scope. */
export function scopeRoleItem(
  kind: string,
  idField: string,
  scope: string,
  [list, entry]: readonly [list: string, entry: string],
  holders: readonly string[],
): AzureItem {
  return azureItem(kind, {
    [idField]: scope,
    [list]: holders.map((principalId) => ({
      [idField]: scope,
      [entry]: { properties: { principalId, scope, roleDefinitionId: '' } },
    })),
  });
}
