import type { EdgeDefinition } from '../edgeDefinition.ts';
import { WRITE_THEN_USE } from '../efforts.ts';
import { ACCESS_LIST_ENTRY } from '../removals.ts';

export const GenericWrite = {
  id: 17,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable', 'acl'],
  category: 'control',
  phrase: 'can write to',
  meaning: 'It can change most attributes of the object.',
  removal: ACCESS_LIST_ENTRY,
  effort: WRITE_THEN_USE,
} as const satisfies EdgeDefinition;
