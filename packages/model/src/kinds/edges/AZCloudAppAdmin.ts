import type { EdgeDefinition } from '../edgeDefinition.ts';
import { ONE_CALL } from '../efforts.ts';
import { ROLE_ASSIGNMENT } from '../removals.ts';

export const AZCloudAppAdmin = {
  id: 141,
  platform: 'azure',
  origin: 'collected',
  traits: ['traversable', 'azureControl'],
  category: 'cloudControl',
  phrase: 'can administer the application',
  meaning: 'It can add credentials to applications.',
  removal: ROLE_ASSIGNMENT,
  effort: ONE_CALL,
} as const satisfies EdgeDefinition;
