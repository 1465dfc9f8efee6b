import type { EdgeDefinition } from '../edgeDefinition.ts';

export const GetChangesAll = {
  id: 43,
  platform: 'ad',
  origin: 'collected',
  traits: ['acl'],
  category: 'credentials',
  phrase: 'has Replicating Directory Changes All on',
  meaning: 'With Get Changes it can replicate secrets: see DCSync.',
  removal: 'Remove the right from the access list of the domain.',
} as const satisfies EdgeDefinition;
