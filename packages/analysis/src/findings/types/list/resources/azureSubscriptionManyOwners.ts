import { azureAssignments } from '../../families/cloud.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

const MAX_OWNERS = 3;

export const azureSubscriptionManyOwners = {
  kind: 'list',
  id: 'AzureSubscriptionManyOwners',
  title: 'Subscription With Many Owners',
  ...classed({ platform: 'azure', category: 'RM', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: azureAssignments,
  remedy: {
    risk: 'Each owner controls every resource in the subscription and can add other owners.',
    fix: 'Keep at most three owners of the subscription; Contributor is sufficient for the others.',
  },
  what: 'A subscription has more than three owners.',
  needs: [],
  reads: { edges: ['AZOwner'] },
  find: (facts) =>
    facts.of('AZSubscription').filter((node) => facts.edges('AZOwner').startsOf(node).size > MAX_OWNERS),
} as const satisfies ListFindingType;
