import type { EdgeDefinition } from '../edgeDefinition.ts';
import { IN_THE_TOKEN } from '../efforts.ts';

export const ClaimSpecialIdentity = {
  id: 57,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable'],
  category: 'structure',
  phrase: 'counts at sign-in as',
  meaning: 'Windows adds this identity at sign-in, also to users of a trusted domain over the trust.',
  removal: 'Remove the right from the special identity; end a trust that is not needed.',
  effort: IN_THE_TOKEN,
} as const satisfies EdgeDefinition;
