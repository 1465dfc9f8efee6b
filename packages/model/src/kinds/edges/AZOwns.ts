import type { EdgeDefinition } from '../edgeDefinition.ts';
import { ONE_CALL } from '../efforts.ts';

export const AZOwns = {
  id: 132,
  platform: 'azure',
  origin: 'collected',
  traits: ['traversable', 'azureControl'],
  category: 'cloudControl',
  phrase: 'owns',
  meaning: 'An owner can change the object and its credentials.',
  removal: 'Remove the owner.',
  effort: ONE_CALL,
} as const satisfies EdgeDefinition;
