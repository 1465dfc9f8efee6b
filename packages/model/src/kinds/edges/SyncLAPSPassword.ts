import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { SPECIAL_TOOL } from '../efforts.ts';

export const SyncLAPSPassword = {
  id: 33,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable', 'acl'],
  category: 'credentials',
  phrase: 'can replicate the local password of',
  meaning: 'It can replicate confidential attributes, including local passwords.',
  removal: 'Remove the replication right on the domain.',
  effort: SPECIAL_TOOL,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Principal → Computer: it holds GetChanges and GetChangesInFilteredSet on a collected domain, and',
    'the computer of that domain has `haslaps` true.',
  ],
  source: 'released behavior; the public page describes the domain as the target.',
  removedBy: 'revoking GetChangesInFilteredSet; encrypting LAPS passwords.',
};
