import type { EdgeDefinition } from '../edgeDefinition.ts';
import { IN_THE_TOKEN } from '../efforts.ts';
import { ROLE_ASSIGNMENT } from '../removals.ts';

export const AZHasRole = {
  id: 133,
  platform: 'azure',
  origin: 'collected',
  traits: ['traversable'],
  category: 'cloudControl',
  phrase: 'has the role',
  meaning: 'A holder of the role has its rights immediately.',
  removal: ROLE_ASSIGNMENT,
  effort: IN_THE_TOKEN,
} as const satisfies EdgeDefinition;
