import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { ONE_CERTIFICATE } from '../efforts.ts';

export const ADCSESC6a = {
  id: 73,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable'],
  category: 'certificates',
  phrase: "can get a certificate in anyone's name in",
  meaning: 'The CA accepts subject names from requests.',
  removal: 'Disable EDITF_ATTRIBUTESUBJECTALTNAME2 on the CA.',
  effort: ONE_CERTIFICATE,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Principal → Domain: the CA lets requesters supply a subject alternative name (registry',
    'collected), and a template that is issued freely, authenticates and omits the security extension.',
  ],
  removedBy: [
    'clearing EDITF_ATTRIBUTESUBJECTALTNAME2 on the CA; clearing "no security extension" on the',
    'template.',
  ],
};
