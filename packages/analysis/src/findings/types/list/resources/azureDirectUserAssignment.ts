import { azureAssignments } from '../../families/cloud.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const azureDirectUserAssignment = {
  kind: 'list',
  id: 'AzureDirectUserAssignment',
  title: 'Rights on Resources Assigned Directly to Users',
  ...classed({ platform: 'azure', category: 'RM', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: azureAssignments,
  remedy: {
    risk: 'Direct assignments to people stay after their tasks end, because group reviews do not show them.',
    fix: 'Assign the role to a group, and make the person a member only while the task lasts.',
  },
  what: 'A user is Owner or Contributor of a resource directly instead of through a group.',
  needs: [],
  reads: { edges: ['AZOwner', 'AZContributor'] },
  find: (facts) =>
    facts.of('AZUser').filter((node) => !facts.edges('AZOwner', 'AZContributor').endsOf(node).isEmpty),
} as const satisfies ListFindingType;
