import type { EdgeDefinition } from '../edgeDefinition.ts';
import { CODE_IS_RUN } from '../efforts.ts';
import { ROLE_ASSIGNMENT } from '../removals.ts';

export const AZLogicAppContributor = {
  id: 149,
  platform: 'azure',
  origin: 'collected',
  traits: ['traversable', 'azureControl'],
  category: 'cloudResources',
  phrase: 'manages the workflow',
  meaning: 'It can change the workflow that runs there.',
  removal: ROLE_ASSIGNMENT,
  effort: CODE_IS_RUN,
} as const satisfies EdgeDefinition;
