import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { ONE_CALL } from '../efforts.ts';
import { ROLE_ASSIGNMENT } from '../removals.ts';

export const AZGlobalAdmin = {
  id: 172,
  platform: 'azure',
  origin: 'derived',
  traits: ['traversable', 'azureControl'],
  category: 'cloudControl',
  phrase: 'is Global Administrator of',
  meaning: 'It controls the whole tenant.',
  removal: ROLE_ASSIGNMENT,
  effort: ONE_CALL,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: ['Principal → AZTenant: effective member of Global Administrator.'],
  source: 'released behavior.',
  removedBy: 'removing the assignment. An eligible assignment leaves the path.',
};
