import type { EdgeDefinition } from '../edgeDefinition.ts';
import { ONE_READ } from '../efforts.ts';

export const ReadGMSAPassword = {
  id: 32,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable', 'acl'],
  category: 'credentials',
  phrase: 'can read the password of',
  meaning: 'It can read the password of the managed service account.',
  removal:
    'Remove the principal from the principals that can retrieve the password, unless it runs the service.',
  effort: ONE_READ,
} as const satisfies EdgeDefinition;
