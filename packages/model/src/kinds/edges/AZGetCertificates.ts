import type { EdgeDefinition } from '../edgeDefinition.ts';
import { ONE_READ } from '../efforts.ts';

export const AZGetCertificates = {
  id: 153,
  platform: 'azure',
  origin: 'collected',
  traits: ['traversable'],
  category: 'cloudResources',
  phrase: 'reads certificates of',
  meaning: 'It can read the contents of the vault.',
  removal: 'Remove the right from the access policy of the vault.',
  effort: ONE_READ,
} as const satisfies EdgeDefinition;
