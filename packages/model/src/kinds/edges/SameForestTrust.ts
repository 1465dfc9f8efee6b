import type { EdgeDefinition } from '../edgeDefinition.ts';
import { FORGERY } from '../efforts.ts';

export const SameForestTrust = {
  id: 51,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable'],
  category: 'trusts',
  phrase: 'is in one forest with',
  meaning: 'The forest is the security boundary, not the domain.',
  removal: 'None inside a forest: protect both domains equally.',
  effort: FORGERY,
} as const satisfies EdgeDefinition;
