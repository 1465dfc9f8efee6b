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
    'Principal → Domain (feature `adcs_esc16`): the authority leaves the security extension out of',
    'every certificate (collected from its registry), with a template that is issued freely and',
    'authenticates. Then either',
    '',
    '- the principal controls an account that may enroll, the template names it by UPN or, of a',
    'computer, by DNS name, and a controller of the forest accepts weak certificate binding, as in',
    'ADCSESC9a and ADCSESC9b; or',
    '- the authority also lets requesters name a subject alternative name (collected), and the',
    'principal may enroll itself.',
  ],
  source: [
    'the public definition of ESC16; the draft of the public product knows the second way only, and',
    '`CLEW_RULES=parity` derives neither.',
  ],
  removedBy: 're-enabling the extension; strict certificate binding on all controllers; clearing the flag.',
};
