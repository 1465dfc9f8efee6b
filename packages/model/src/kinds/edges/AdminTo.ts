import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { REMOTE_ADMINISTRATION } from '../efforts.ts';

export const AdminTo = {
  id: 5,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable'],
  category: 'access',
  phrase: 'can administer',
  meaning: 'A local administrator controls the computer and the sessions on it.',
  removal: 'Remove the principal from the local administrators; make sure that other administrators remain.',
  effort: REMOTE_ADMINISTRATION,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    "Principal → Computer: direct member of the computer's local group with suffix `-544`. A domain",
    'group gets the edge, and its members inherit it.',
  ],
  source: 'released behavior.',
  removedBy:
    'removing the principal from the local group, preferably with a policy that replaces the whole list.',
};
