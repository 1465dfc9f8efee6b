import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';

export const SyncedToADUser = {
  id: 179,
  platform: 'azure',
  origin: 'derived',
  traits: ['traversable'],
  category: 'synchronization',
  phrase: 'is synchronized to',
  meaning: 'Changes of the cloud account are written back to the user.',
  removal: 'Turn off writeback for privileged accounts.',
  effort: { effort: 4, reason: 'Depends on password writeback, which is not collected' },
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'AZUser → User: the synchronized cloud user and the user of Active Directory with the SID it names.',
    'Always created together with SyncedToEntraUser; nothing is created if the other side was not collected.',
  ],
  source: 'released behavior since v9.0.0.',
  removedBy: 'not synchronizing privileged accounts.',
};
