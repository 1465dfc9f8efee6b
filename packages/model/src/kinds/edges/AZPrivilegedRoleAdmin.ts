import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { ONE_CALL } from '../efforts.ts';
import { ROLE_ASSIGNMENT } from '../removals.ts';

export const AZPrivilegedRoleAdmin = {
  id: 173,
  platform: 'azure',
  origin: 'derived',
  traits: ['traversable', 'azureControl'],
  category: 'cloudControl',
  phrase: 'assigns roles in',
  meaning: 'It can give itself any role.',
  removal: ROLE_ASSIGNMENT,
  effort: ONE_CALL,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: ['Principal → AZTenant: effective member of Privileged Role Administrator.'],
  source: 'released behavior.',
  removedBy: 'as AZGlobalAdmin.',
};
