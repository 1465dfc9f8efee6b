import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { TWO_REQUESTS } from '../efforts.ts';

export const ADCSESC16 = {
  id: 80,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable', 'experimental'],
  category: 'certificates',
  phrase: "can get a certificate in another's name in",
  meaning: 'The CA omits the security extension from all certificates.',
  removal: 'Enable the security extension on the CA.',
  effort: TWO_REQUESTS,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Principal → Domain (feature `adcs_esc16`): the CA omits the security extension from',
    'every certificate (collected from its registry), and there is a template that is issued freely and',
    'authenticates. In addition, either',
    '',
    '- the principal controls an account that can enroll, the template contains its UPN or, for a',
    'computer, its DNS name, and a domain controller of the forest accepts weak certificate binding, as in',
    'ADCSESC9a and ADCSESC9b; or',
    '- the CA also lets requesters supply a subject alternative name (collected), and the',
    'principal itself can enroll.',
  ],
  source: [
    'the public definition of ESC16; the draft of the public product contains only the second case, and',
    '`CLEW_RULES=parity` derives neither.',
  ],
  removedBy:
    're-enabling the extension; full enforcement of certificate binding on all domain controllers; clearing the flag.',
};
