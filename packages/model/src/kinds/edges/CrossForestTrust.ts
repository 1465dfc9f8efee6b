import type { EdgeDefinition } from '../edgeDefinition.ts';

export const CrossForestTrust = {
  id: 52,
  platform: 'ad',
  origin: 'collected',
  traits: [],
  category: 'trusts',
  phrase: 'trusts',
  meaning: 'Users of the trusted domain can sign in there; this does not give control.',
  removal: 'Remove the trust if it is not needed.',
} as const satisfies EdgeDefinition;
