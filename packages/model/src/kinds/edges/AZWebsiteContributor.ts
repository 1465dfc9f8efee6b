import type { EdgeDefinition } from '../edgeDefinition.ts';
import { CODE_IS_RUN } from '../efforts.ts';
import { ROLE_ASSIGNMENT } from '../removals.ts';

export const AZWebsiteContributor = {
  id: 148,
  platform: 'azure',
  origin: 'collected',
  traits: ['traversable', 'azureControl', 'azureExecution'],
  category: 'cloudResources',
  phrase: 'manages the site',
  meaning: 'It can change the code that runs there.',
  removal: ROLE_ASSIGNMENT,
  effort: CODE_IS_RUN,
} as const satisfies EdgeDefinition;
