import type { EdgeDefinition } from '../edgeDefinition.ts';
import { IN_THE_TOKEN } from '../efforts.ts';

export const ClaimSpecialIdentity = {
  id: 57,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable'],
  category: 'structure',
  phrase: 'counts at sign-in as',
  meaning: 'Windows adds this identity at sign-in, also for users of a trusted domain.',
  removal: 'Remove the right from the special identity; remove trusts that are not needed.',
  effort: IN_THE_TOKEN,
} as const satisfies EdgeDefinition;
