import type { EdgeDefinition } from '../edgeDefinition.ts';
import { RIGHT_THEN_USE } from '../efforts.ts';
import { ROLE_ASSIGNMENT } from '../removals.ts';

export const AZRoleEligible = {
  id: 134,
  platform: 'azure',
  origin: 'collected',
  traits: ['traversable'],
  category: 'cloudControl',
  phrase: 'may activate the role',
  meaning: 'An eligible role can be activated.',
  removal: ROLE_ASSIGNMENT,
  effort: RIGHT_THEN_USE,
} as const satisfies EdgeDefinition;
