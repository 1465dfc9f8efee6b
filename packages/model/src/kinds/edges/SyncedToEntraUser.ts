import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { RIGHT_THEN_USE } from '../efforts.ts';

export const SyncedToEntraUser = {
  id: 89,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable'],
  category: 'synchronization',
  phrase: 'is synchronized to',
  meaning: 'Its password and sign-in also apply in the cloud.',
  removal: 'Exclude privileged cloud accounts from synchronization.',
  effort: RIGHT_THEN_USE,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: ['User → AZUser: the same pair, the other way.'],
  source: 'released behavior.',
  removedBy: 'as SyncedToADUser.',
};
