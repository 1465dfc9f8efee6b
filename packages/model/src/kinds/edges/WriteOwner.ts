import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { WRITE_THEN_USE } from '../efforts.ts';
import { ACCESS_LIST_ENTRY } from '../removals.ts';

export const WriteOwner = {
  id: 19,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable', 'acl'],
  category: 'control',
  phrase: 'can take over',
  meaning: 'It can make itself the owner, and an owner can change rights.',
  removal: ACCESS_LIST_ENTRY,
  effort: WRITE_THEN_USE,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Principal → object, from WriteOwnerRaw, as Owns; on a computer or managed service account of an',
    'enforcing domain never.',
  ],
  source: 'released behavior.',
  removedBy: 'revoking Write Owner, and as for Owns.',
};
