import type { EdgeDefinition } from '../edgeDefinition.ts';
import { ONE_READ } from '../efforts.ts';
import { ACCESS_LIST_ENTRY } from '../removals.ts';

export const ReadLAPSPassword = {
  id: 31,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable', 'acl'],
  category: 'credentials',
  phrase: 'can read the local password of',
  meaning: 'It can read the password of the local administrator.',
  removal: ACCESS_LIST_ENTRY,
  effort: ONE_READ,
} as const satisfies EdgeDefinition;
