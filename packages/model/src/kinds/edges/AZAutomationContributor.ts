import type { EdgeDefinition } from '../edgeDefinition.ts';
import { CODE_IS_RUN } from '../efforts.ts';
import { ROLE_ASSIGNMENT } from '../removals.ts';

export const AZAutomationContributor = {
  id: 150,
  platform: 'azure',
  origin: 'collected',
  traits: ['traversable', 'azureControl'],
  category: 'cloudResources',
  phrase: 'manages the automation',
  meaning: 'It can change the runbooks that run there.',
  removal: ROLE_ASSIGNMENT,
  effort: CODE_IS_RUN,
} as const satisfies EdgeDefinition;
