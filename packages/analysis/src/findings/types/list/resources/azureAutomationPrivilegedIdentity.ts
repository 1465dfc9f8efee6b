import { managedIdentities } from '../../families/cloud.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { withPrivilegedIdentity } from './common.ts';

export const azureAutomationPrivilegedIdentity = {
  kind: 'list',
  id: 'AzureAutomationPrivilegedIdentity',
  title: 'Automation Account With Privileged Identity',
  ...classed({ platform: 'azure', category: 'RM', scope: 'hygiene', nature: 'safeguard', floor: 'moderate' }),
  family: managedIdentities,
  remedy: {
    risk: 'Anyone who can edit or start its runbooks has the privileges of the identity.',
    fix: "Reduce the rights of the account's or app's identity, or add it to the zone.",
  },
  what: 'An automation account or app runs with the identity of a Tier Zero service principal.',
  needs: [],
  reads: { edges: ['AZManagedIdentity'] },
  find: (facts) =>
    withPrivilegedIdentity(facts, 'AZAutomationAccount', 'AZLogicApp', 'AZFunctionApp', 'AZWebApp'),
} as const satisfies ListFindingType;
