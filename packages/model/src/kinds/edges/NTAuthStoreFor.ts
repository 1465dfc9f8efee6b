import type { EdgeDefinition } from '../edgeDefinition.ts';

export const NTAuthStoreFor = {
  id: 62,
  platform: 'ad',
  origin: 'collected',
  traits: [],
  category: 'certificates',
  phrase: 'is the NTAuth store of',
  meaning: 'CAs in the store issue certificates that sign in to the domain.',
  removal: 'Nothing to remove: take single CAs out of the store.',
} as const satisfies EdgeDefinition;
