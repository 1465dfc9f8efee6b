import type { EdgeDefinition } from '../edgeDefinition.ts';
import { IMPERSONATION } from '../efforts.ts';
import { ACCESS_LIST_ENTRY } from '../removals.ts';

export const AddAllowedToAct = {
  id: 29,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable', 'acl'],
  category: 'control',
  phrase: 'can set delegation on',
  meaning: 'It can let an account act as other users to the computer.',
  removal: ACCESS_LIST_ENTRY,
  effort: IMPERSONATION,
} as const satisfies EdgeDefinition;
