import type { EdgeDefinition } from '../edgeDefinition.ts';
import { ONE_WRITE } from '../efforts.ts';
import { ACCESS_LIST_ENTRY } from '../removals.ts';

export const ForceChangePassword = {
  id: 25,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable', 'acl'],
  category: 'control',
  phrase: 'can reset the password of',
  meaning: 'It can set a new password without knowing the old one.',
  removal: ACCESS_LIST_ENTRY,
  effort: ONE_WRITE,
} as const satisfies EdgeDefinition;
