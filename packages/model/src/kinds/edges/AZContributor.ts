import type { EdgeDefinition } from '../edgeDefinition.ts';
import { CODE_IS_RUN } from '../efforts.ts';
import { ROLE_ASSIGNMENT } from '../removals.ts';

export const AZContributor = {
  id: 143,
  platform: 'azure',
  origin: 'collected',
  traits: ['traversable', 'azureControl', 'azureExecution'],
  category: 'cloudResources',
  phrase: 'has the role Contributor on',
  meaning: 'A Contributor can change the resource and the programs on it.',
  removal: ROLE_ASSIGNMENT,
  effort: CODE_IS_RUN,
} as const satisfies EdgeDefinition;
