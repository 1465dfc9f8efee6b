import type { EdgeDefinition } from '../edgeDefinition.ts';
import { IMPERSONATION } from '../efforts.ts';
import { ACCESS_LIST_ENTRY } from '../removals.ts';

export const WriteAccountRestrictions = {
  id: 35,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable', 'acl'],
  category: 'control',
  phrase: 'can set account restrictions of',
  meaning: 'Account restrictions include who can delegate to the object.',
  removal: ACCESS_LIST_ENTRY,
  effort: IMPERSONATION,
} as const satisfies EdgeDefinition;
