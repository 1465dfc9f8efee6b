import type { EdgeDefinition } from '../edgeDefinition.ts';
import { REMOTE_ADMINISTRATION } from '../efforts.ts';

export const AZManagedIdentity = {
  id: 138,
  platform: 'azure',
  origin: 'collected',
  traits: ['traversable', 'azureControl'],
  category: 'cloudResources',
  phrase: 'has the identity',
  meaning: 'Programs on the resource act as the identity.',
  removal: 'Remove the identity from the resource, or reduce its roles.',
  effort: REMOTE_ADMINISTRATION,
} as const satisfies EdgeDefinition;
