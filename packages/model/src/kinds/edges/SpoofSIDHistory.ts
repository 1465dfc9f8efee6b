import type { EdgeDefinition } from '../edgeDefinition.ts';
import { FITTING_TARGET } from '../efforts.ts';

export const SpoofSIDHistory = {
  id: 53,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable'],
  category: 'trusts',
  phrase: 'can act, through forged SID history, as users of',
  meaning: 'The trust does not filter SIDs of other domains.',
  removal: 'Turn on SID filtering for the trust, after no user needs SID history over it.',
  effort: FITTING_TARGET,
} as const satisfies EdgeDefinition;
