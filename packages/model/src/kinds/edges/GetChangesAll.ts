import type { EdgeDefinition } from '../edgeDefinition.ts';

export const GetChangesAll = {
  id: 43,
  platform: 'ad',
  origin: 'collected',
  traits: ['acl'],
  category: 'credentials',
  phrase: 'has Replicating Directory Changes All on',
  meaning: 'Together with Get Changes, it can replicate secrets: see DCSync.',
  removal: 'Remove the right from the access control list of the domain.',
} as const satisfies EdgeDefinition;
