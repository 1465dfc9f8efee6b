import type { EdgeDefinition } from '../edgeDefinition.ts';
import { CODE_IS_RUN } from '../efforts.ts';
import { ROLE_ASSIGNMENT } from '../removals.ts';

export const AZAvereContributor = {
  id: 146,
  platform: 'azure',
  origin: 'collected',
  traits: ['traversable', 'azureControl', 'azureExecution'],
  category: 'cloudResources',
  phrase: 'manages machines of',
  meaning: 'It can run commands on virtual machines in the scope.',
  removal: ROLE_ASSIGNMENT,
  effort: CODE_IS_RUN,
} as const satisfies EdgeDefinition;
