import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { ONE_CERTIFICATE } from '../efforts.ts';

export const ADCSESC13 = {
  id: 79,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable'],
  category: 'certificates',
  phrase: 'gets by certificate the rights of',
  meaning: 'An issuance policy is linked to the group.',
  removal: 'Remove the link of the policy to the group, or narrow who may enroll.',
  effort: ONE_CERTIFICATE,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Principal → Group: enrolls in a template that is issued freely, authenticates and carries an',
    'issuance policy (ExtendedByPolicy) that is linked to the group (OIDGroupLink), where the group',
    'lives in the forest of a chained domain. *Choice:* which trusts relate the group to the authority',
    'is not documented; a policy and its group share one configuration partition, so the forest',
    'decides.',
  ],
  removedBy: 'removing the group link or the policy; approval or a signature.',
};
