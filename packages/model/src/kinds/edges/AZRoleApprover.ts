import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { FITTING_TARGET } from '../efforts.ts';

export const AZRoleApprover = {
  id: 135,
  platform: 'azure',
  origin: 'both',
  traits: ['traversable'],
  category: 'cloudControl',
  phrase: 'approves the role',
  meaning: 'It decides who can activate the role.',
  removal: 'Choose other approvers.',
  effort: FITTING_TARGET,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Approver → AZRole whose activation requires approval: the users and groups in the policy;',
    'if it lists no one, the Global and Privileged Role Administrator roles.',
  ],
  source: 'intended behavior of the public product, which loses the edge when the lists are empty.',
  removedBy: 'setting approvers of the zone.',
};
