import type { EdgeDefinition } from '../edgeDefinition.ts';
import { ONE_WRITE } from '../efforts.ts';
import { ACCESS_LIST_ENTRY } from '../removals.ts';

export const AllExtendedRights = {
  id: 26,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable', 'acl'],
  category: 'control',
  phrase: 'has all extended rights on',
  meaning: 'These rights include resetting passwords and reading secrets.',
  removal: ACCESS_LIST_ENTRY,
  effort: ONE_WRITE,
} as const satisfies EdgeDefinition;
