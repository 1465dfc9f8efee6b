import type { EdgeDefinition } from '../edgeDefinition.ts';

export const GetChangesInFilteredSet = {
  id: 44,
  platform: 'ad',
  origin: 'collected',
  traits: ['acl'],
  category: 'credentials',
  phrase: 'has Replicating Directory Changes In Filtered Set on',
  meaning: 'Together with Get Changes, it can replicate local passwords: see SyncLAPSPassword.',
  removal: 'Remove the right from the access control list of the domain.',
} as const satisfies EdgeDefinition;
