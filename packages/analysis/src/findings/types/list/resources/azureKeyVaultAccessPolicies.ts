import { keyVaults } from '../../families/cloud.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const azureKeyVaultAccessPolicies = {
  kind: 'list',
  id: 'AzureKeyVaultAccessPolicies',
  title: 'Vault Using Access Policies',
  ...classed({ platform: 'azure', category: 'RM', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: keyVaults,
  remedy: {
    risk: 'Anyone who can change the configuration of the vault can add an access policy and read its contents.',
    fix: 'Switch the vault to role-based authorization.',
    care: 'Access policies stop working after the change: assign the roles first.',
  },
  what: 'A key vault uses access policies instead of role-based authorization.',
  needs: ['enablerbacauthorization'],
  find: (facts) => facts.of('AZKeyVault').and(facts.is('enablerbacauthorization', false)),
} as const satisfies ListFindingType;
