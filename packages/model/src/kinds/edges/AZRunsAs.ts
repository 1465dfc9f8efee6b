import type { EdgeDefinition } from '../edgeDefinition.ts';
import { IN_THE_TOKEN } from '../efforts.ts';

export const AZRunsAs = {
  id: 136,
  platform: 'azure',
  origin: 'collected',
  traits: ['traversable'],
  category: 'cloudStructure',
  phrase: 'signs in as',
  meaning: 'Credentials of the application can be used to sign in as the service principal.',
  removal: 'None: protect the application like its service principal.',
  effort: IN_THE_TOKEN,
} as const satisfies EdgeDefinition;
