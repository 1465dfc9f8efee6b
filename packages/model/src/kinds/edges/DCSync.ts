import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { ONE_REPLICATION } from '../efforts.ts';

export const DCSync = {
  id: 47,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable', 'acl'],
  category: 'credentials',
  phrase: 'can replicate the secrets of',
  meaning: 'It can copy the password hash of every account of the domain.',
  removal: 'Remove the replication rights from the access control list of the domain.',
  effort: ONE_REPLICATION,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Principal → Domain: it holds GetChanges and GetChangesAll on a collected domain, directly or',
    'through groups (see "Which principal gets an edge that needs several rights"). GenericAll and',
    'AllExtendedRights have their own edges and do not count here.',
  ],
  source: 'released behavior.',
  removedBy: [
    'revoking one of the two replication rights on the domain object, or leaving the group that holds',
    'it. Domain controllers, administrators and the synchronization account are the expected holders.',
  ],
};
