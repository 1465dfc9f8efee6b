import type { EdgeDefinition } from '../edgeDefinition.ts';
import { ONE_CALL } from '../efforts.ts';
import { ROLE_ASSIGNMENT } from '../removals.ts';

export const AZUserAccessAdministrator = {
  id: 144,
  platform: 'azure',
  origin: 'collected',
  traits: ['traversable', 'azureControl'],
  category: 'cloudResources',
  phrase: 'assigns access to',
  meaning: 'It can assign itself any role on the resource.',
  removal: ROLE_ASSIGNMENT,
  effort: ONE_CALL,
} as const satisfies EdgeDefinition;
