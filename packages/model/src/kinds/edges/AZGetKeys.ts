import type { EdgeDefinition } from '../edgeDefinition.ts';
import { RIGHT_THEN_USE } from '../efforts.ts';

export const AZGetKeys = {
  id: 154,
  platform: 'azure',
  origin: 'collected',
  traits: ['traversable'],
  category: 'cloudResources',
  phrase: 'reads keys of',
  meaning: 'It can read the contents of the vault.',
  removal: 'Remove the right from the access policy of the vault.',
  effort: RIGHT_THEN_USE,
} as const satisfies EdgeDefinition;
