import { azureAssignments } from '../../families/cloud.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const azureDirectUserAssignment = {
  kind: 'list',
  id: 'AzureDirectUserAssignment',
  title: 'Rights on Resources Assigned Directly to Users',
  ...classed({ platform: 'azure', category: 'RM', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: azureAssignments,
  remedy: {
    risk: 'Assignments to single people outlive their tasks, because no review of groups shows them.',
    fix: 'Assign the role to a group, and let the person be a member of it while the task lasts.',
  },
  what: 'A user is Owner or Contributor of a resource directly instead of through a group.',
  needs: [],
  reads: { edges: ['AZOwner', 'AZContributor'] },
  find: (facts) =>
    facts.of('AZUser').filter((node) => !facts.edges('AZOwner', 'AZContributor').endsOf(node).isEmpty),
} as const satisfies ListFindingType;
