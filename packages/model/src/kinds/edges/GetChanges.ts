import type { EdgeDefinition } from '../edgeDefinition.ts';

export const GetChanges = {
  id: 42,
  platform: 'ad',
  origin: 'collected',
  traits: ['acl'],
  category: 'credentials',
  phrase: 'has Replicating Directory Changes on',
  meaning: 'Together with Get Changes All, it can replicate secrets: see DCSync.',
  removal: 'Remove the right from the access control list of the domain.',
} as const satisfies EdgeDefinition;
