import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';

export const ExtendedByPolicy = {
  id: 68,
  platform: 'ad',
  origin: 'derived',
  traits: [],
  category: 'certificates',
  phrase: 'has the issuance policy',
  meaning: 'Certificates of the template contain the policy.',
  removal: 'Remove the policy from the template.',
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    "CertTemplate → IssuancePolicy of the same domain whose `certtemplateoid` is among the template's",
    '`certificatepolicy`.',
  ],
  removedBy: 'removing the policy from the template.',
};
