import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { ONE_CERTIFICATE } from '../efforts.ts';

export const ADCSESC13 = {
  id: 79,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable'],
  category: 'certificates',
  phrase: 'can get by certificate the rights of',
  meaning: 'The issuance policy of a template is linked to the group.',
  removal: 'Remove the link from the policy to the group, or restrict enrollment.',
  effort: ONE_CERTIFICATE,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Principal → Group: can enroll in a template that is issued freely, authenticates and contains an',
    'issuance policy (ExtendedByPolicy) that is linked to the group (OIDGroupLink), where the group',
    'is in the forest of a chained domain. *Choice:* which trusts connect the group to the CA',
    'is not documented; a policy and its group share one configuration partition, so the forest',
    'decides.',
  ],
  removedBy: 'removing the group link or the policy; approval or a signature.',
};
