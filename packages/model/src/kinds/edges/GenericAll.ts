import type { EdgeDefinition } from '../edgeDefinition.ts';
import { ONE_WRITE } from '../efforts.ts';
import { ACCESS_LIST_ENTRY } from '../removals.ts';

export const GenericAll = {
  id: 16,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable', 'acl'],
  category: 'control',
  phrase: 'has full control of',
  meaning: 'Full control of an object includes every right on it.',
  removal: ACCESS_LIST_ENTRY,
  effort: ONE_WRITE,
} as const satisfies EdgeDefinition;
