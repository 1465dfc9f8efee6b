import type { EdgeDefinition } from '../edgeDefinition.ts';
import { RIGHT_THEN_USE } from '../efforts.ts';

export const AZAuthenticatesTo = {
  id: 137,
  platform: 'azure',
  origin: 'collected',
  traits: ['traversable'],
  category: 'cloudStructure',
  phrase: 'signs in to',
  meaning: 'A federated credential can be used to sign in as the application.',
  removal: 'Remove the federated credential.',
  effort: RIGHT_THEN_USE,
} as const satisfies EdgeDefinition;
