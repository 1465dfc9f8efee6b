import type { EdgeDefinition } from '../edgeDefinition.ts';
import { SPECIAL_TOOL } from '../efforts.ts';
import { ACCESS_LIST_ENTRY } from '../removals.ts';

export const WriteGPLink = {
  id: 36,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable', 'acl'],
  category: 'control',
  phrase: 'can link policies to',
  meaning: 'A policy that it links applies to all objects below.',
  removal: ACCESS_LIST_ENTRY,
  effort: SPECIAL_TOOL,
} as const satisfies EdgeDefinition;
