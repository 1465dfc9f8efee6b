import type { EdgeDefinition } from '../edgeDefinition.ts';
import { PASSED_ON } from '../efforts.ts';

export const Contains = {
  id: 2,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable'],
  category: 'structure',
  phrase: 'contains',
  meaning: 'Objects in a container inherit rights on it, unless inheritance is blocked.',
  removal: 'Move the object to another container, or block inheritance on it.',
  effort: PASSED_ON,
} as const satisfies EdgeDefinition;
