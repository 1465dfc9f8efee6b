import type { EdgeDefinition } from '../edgeDefinition.ts';
import { WRITE_THEN_USE } from '../efforts.ts';
import { ACCESS_LIST_ENTRY } from '../removals.ts';

export const WriteDacl = {
  id: 18,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable', 'acl'],
  category: 'control',
  phrase: 'can change the rights on',
  meaning: 'It can grant itself any right on the object.',
  removal: ACCESS_LIST_ENTRY,
  effort: WRITE_THEN_USE,
} as const satisfies EdgeDefinition;
