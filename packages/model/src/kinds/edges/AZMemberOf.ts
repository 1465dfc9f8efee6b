import type { EdgeDefinition } from '../edgeDefinition.ts';
import { IN_THE_TOKEN } from '../efforts.ts';

export const AZMemberOf = {
  id: 131,
  platform: 'azure',
  origin: 'collected',
  traits: ['traversable'],
  category: 'cloudStructure',
  phrase: 'is a member of',
  meaning: 'A member has every right of the group.',
  removal: 'Remove the member from the group.',
  effort: IN_THE_TOKEN,
} as const satisfies EdgeDefinition;
