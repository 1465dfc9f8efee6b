import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { ONE_CALL } from '../efforts.ts';
import { ROLE_ASSIGNMENT } from '../removals.ts';

export const AZPrivilegedAuthAdmin = {
  id: 174,
  platform: 'azure',
  origin: 'derived',
  traits: ['traversable'],
  category: 'cloudControl',
  phrase: 'resets authentication in',
  meaning: 'It can reset the authentication of administrators.',
  removal: ROLE_ASSIGNMENT,
  effort: ONE_CALL,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: ['Principal → AZTenant: effective member of Privileged Authentication Administrator.'],
  source: 'released behavior.',
  removedBy: 'as AZGlobalAdmin.',
};
