import type { EdgeDefinition } from '../edgeDefinition.ts';
import { ACCESS_LIST_ENTRY } from '../removals.ts';

export const WriteOwnerRaw = {
  id: 22,
  platform: 'ad',
  origin: 'collected',
  traits: [],
  category: 'control',
  phrase: 'has the right Write Owner on',
  meaning: 'The collector recorded the right; WriteOwner is derived where it can be used.',
  removal: ACCESS_LIST_ENTRY,
} as const satisfies EdgeDefinition;
