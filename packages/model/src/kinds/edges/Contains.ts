import type { EdgeDefinition } from '../edgeDefinition.ts';
import { PASSED_ON } from '../efforts.ts';

export const Contains = {
  id: 2,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable'],
  category: 'structure',
  phrase: 'contains',
  meaning: 'Rights on a container reach the objects inside it where they are inherited.',
  removal: 'Move the object elsewhere, or stop inheritance on it.',
  effort: PASSED_ON,
} as const satisfies EdgeDefinition;
