import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { TWO_REQUESTS } from '../efforts.ts';

export const ADCSESC6b = {
  id: 74,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable'],
  category: 'certificates',
  phrase: 'can add another name to a certificate of',
  meaning: 'The CA takes subject names from requests.',
  removal: 'Take EDITF_ATTRIBUTESUBJECTALTNAME2 from the CA.',
  effort: TWO_REQUESTS,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Like ADCSESC6a over Schannel: the template authenticates over Schannel, the security extension does',
    "not matter, and the domain's forest has UPN mapping.",
  ],
  removedBy:
    'clearing the flag on the authority; removing bit 0x4 on **every** domain controller of the forest.',
};
