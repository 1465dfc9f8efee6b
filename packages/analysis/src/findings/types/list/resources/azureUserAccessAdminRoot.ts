import type { NodeSet } from '@clew/graph';
import type { FindingFacts } from '../../../findingFacts.ts';
import { azureAssignments } from '../../families/cloud.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const azureUserAccessAdminRoot = {
  kind: 'list',
  id: 'AzureUserAccessAdminRoot',
  title: 'Elevated Access at Root Scope',
  ...classed({ platform: 'azure', category: 'RM', scope: 'hygiene', nature: 'safeguard', floor: 'high' }),
  family: azureAssignments,
  remedy: {
    risk: 'The holder can grant any role on any subscription in the tenant.',
    fix: 'Turn off elevated access: remove the assignment at the root scope.',
  },
  what: 'A principal is User Access Administrator of the root management group, above every subscription.',
  needs: [],
  reads: { edges: ['AZUserAccessAdministrator', 'AZContains'] },
  find: (facts) => facts.edges('AZUserAccessAdministrator').startsOfAny(rootGroups(facts)),
} as const satisfies ListFindingType;

/** Management groups without a parent. */
function rootGroups(facts: FindingFacts): NodeSet {
  const groups = facts.of('AZManagementGroup');
  return groups.filter((group) => !facts.edges('AZContains').startsOf(group).intersects(groups));
}
