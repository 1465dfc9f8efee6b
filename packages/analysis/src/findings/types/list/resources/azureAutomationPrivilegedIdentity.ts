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
    risk: 'Anyone who may edit or start its runbooks acts with the privileges of the identity.',
    fix: 'Reduce the rights of the identity of the account or app, or bring it into the zone.',
  },
  what: 'An automation account or app runs with the identity of a Tier Zero service principal.',
  needs: [],
  reads: { edges: ['AZManagedIdentity'] },
  find: (facts) =>
    withPrivilegedIdentity(facts, 'AZAutomationAccount', 'AZLogicApp', 'AZFunctionApp', 'AZWebApp'),
} as const satisfies ListFindingType;
