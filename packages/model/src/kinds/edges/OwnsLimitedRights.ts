import type { EdgeDefinition } from '../edgeDefinition.ts';
import { WRITE_THEN_USE } from '../efforts.ts';

export const OwnsLimitedRights = {
  id: 23,
  platform: 'ad',
  origin: 'both',
  traits: ['traversable', 'acl'],
  category: 'control',
  phrase: 'owns, with limits,',
  meaning: 'The owner has the rights that the OWNER RIGHTS entry leaves.',
  removal: 'Give the object another owner.',
  effort: WRITE_THEN_USE,
} as const satisfies EdgeDefinition;
