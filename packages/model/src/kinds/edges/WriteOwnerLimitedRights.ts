import type { EdgeDefinition } from '../edgeDefinition.ts';
import { WRITE_THEN_USE } from '../efforts.ts';
import { ACCESS_LIST_ENTRY } from '../removals.ts';

export const WriteOwnerLimitedRights = {
  id: 24,
  platform: 'ad',
  origin: 'both',
  traits: ['traversable', 'acl'],
  category: 'control',
  phrase: 'can take over, with limits,',
  meaning: 'It can become the owner, with the rights that the OWNER RIGHTS entry leaves.',
  removal: ACCESS_LIST_ENTRY,
  effort: WRITE_THEN_USE,
} as const satisfies EdgeDefinition;
