import type { EdgeDefinition } from '../edgeDefinition.ts';

export const NTAuthStoreFor = {
  id: 62,
  platform: 'ad',
  origin: 'collected',
  traits: [],
  category: 'certificates',
  phrase: 'is the NTAuth store of',
  meaning: 'Certificates of CAs in the store can be used to sign in to the domain.',
  removal: 'Nothing to remove: remove individual CAs from the store.',
} as const satisfies EdgeDefinition;
