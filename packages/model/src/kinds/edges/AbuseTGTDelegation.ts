import type { EdgeDefinition } from '../edgeDefinition.ts';
import { FITTING_TARGET } from '../efforts.ts';

export const AbuseTGTDelegation = {
  id: 54,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable'],
  category: 'trusts',
  phrase: 'receives forwarded tickets from',
  meaning: 'The trust forwards ticket-granting tickets to the other forest.',
  removal: 'Turn off ticket delegation for the trust.',
  effort: FITTING_TARGET,
} as const satisfies EdgeDefinition;
