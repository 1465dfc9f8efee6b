import { NODE_KINDS } from '@clew/model';
import { describe, expect, test } from 'vitest';
import {
  AZURE_ENTITY_TYPES,
  AZURE_RELATED_TYPES,
  azureEntityType,
  isAzureRelatedType,
} from './azureEntities.ts';

describe('the types of Azure entities', () => {
  test('are those of the public API, one per kind', () => {
    expect(AZURE_ENTITY_TYPES.map(({ segment }) => segment).sort()).toEqual(
      'applications automation-accounts az-base container-registries devices federated-identity-credentials function-apps groups key-vaults logic-apps managed-clusters management-groups resource-groups roles service-principals subscriptions tenants users vm-scale-sets vms web-apps'.split(
        ' ',
      ),
    );
    const kinds = NODE_KINDS.filter(({ platform }) => platform === 'azure').map(({ name }) => name);
    const served = new Set<string>(AZURE_ENTITY_TYPES.map(({ kind }) => kind));
    // Entra Domain Services and administrative units have no separate page in the public API.
    expect(kinds.filter((kind) => !served.has(kind))).toEqual(['AZEntraDS', 'AZAdministrativeUnit']);
  });

  test.each([
    ['automationaccounts', 'AZAutomationAccount'],
    ['Automation-Accounts', 'AZAutomationAccount'],
    ['AZAutomationAccount', 'AZAutomationAccount'],
    ['azuser', 'AZUser'],
    ['users', 'AZUser'],
    ['AZTenant', 'AZTenant'],
  ])('are found as %s', (name, kind) => {
    expect(azureEntityType(name)?.kind).toBe(kind);
  });

  test.each(['', 'user', 'constructor', 'users '])('are not found as "%s"', (name) => {
    expect(azureEntityType(name)).toBeUndefined();
  });

  test('count only existing lists', () => {
    for (const [, list] of AZURE_ENTITY_TYPES.flatMap(({ counts }) => counts))
      expect(Object.keys(AZURE_RELATED_TYPES)).toContain(list);
    expect(isAzureRelatedType('roles')).toBe(true);
    expect(isAzureRelatedType('toString')).toBe(false);
  });
});
