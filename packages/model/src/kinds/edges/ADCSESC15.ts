import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';

export const ADCSESC15 = {
  id: 180,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable', 'experimental'],
  category: 'certificates',
  phrase: "can get a certificate in anyone's name in",
  meaning:
    'A CA without the update of November 2024 accepts application policies from requests for templates of version 1.',
  removal: 'Update the CA, or replace the template with one of version 2.',
  effort: {
    effort: 4,
    reason: 'Needs a CA without the update of November 2024, which is not collected',
  },
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Principal → Domain (feature `adcs_esc15`): enrolls in a template of schema version 1 that needs no',
    'approval, lets the enroller supply the subject and does not authenticate (one that does is',
    'ADCSESC1), at an active CA that publishes it. A CA without the update of November',
    '2024 (CVE-2024-49019) accepts application policies from the request, and these count as usages.',
    '*Choice:* no collector reports whether a CA has the update, so the edge is derived for all CAs',
    'with attack effort 4, a condition. A plan asks this for each CA where someone can enroll in this way; if the answer is that it',
    'is installed, edges over this CA become ADCSESC15Updated. Turn the feature off when all CAs are updated.',
  ],
  source: [
    "the vendor's advisory and the public definition of ESC15; the public product has no such edge, and",
    '`CLEW_RULES=parity` derives none.',
  ],
  removedBy: [
    'the update with the feature off; a copy of the template, which has version 2; clearing "supply in',
    'the request"; manager approval.',
  ],
};
