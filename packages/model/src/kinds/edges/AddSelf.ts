import type { EdgeDefinition } from '../edgeDefinition.ts';
import { ONE_WRITE } from '../efforts.ts';
import { ACCESS_LIST_ENTRY } from '../removals.ts';

export const AddSelf = {
  id: 28,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable', 'acl'],
  category: 'control',
  phrase: 'can add itself to',
  meaning: 'It can make itself a member of the group.',
  removal: ACCESS_LIST_ENTRY,
  effort: ONE_WRITE,
} as const satisfies EdgeDefinition;
