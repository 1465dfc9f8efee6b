import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';

export const ADCSESC15Updated = {
  id: 183,
  platform: 'ad',
  origin: 'derived',
  traits: ['experimental'],
  category: 'certificates',
  phrase: "could, before an update, get a certificate in anyone's name in",
  meaning:
    'It can enroll in a template of version 1, but someone answered that the CA has the update of November 2024; "answeredby" shows who.',
  removal: 'Replace the template with one of version 2, in case the answer is wrong.',
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Principal → Domain (feature `adcs_esc15`): like ADCSESC15, over a CA for which someone answered that it has the',
    'update of November 2024. It is not a step of a path: it counts in no plan, exposure or severity. `answeredby` and',
    '`answeredat` show who answered and when; for several CAs, the first answer. Without an answer, or with "no", the edge is ADCSESC15.',
  ],
  source: [
    'the answer of an administrator; the public product has no such edge, and `CLEW_RULES=parity` derives none.',
  ],
  removedBy: [
    'a copy of the template, which has version 2; clearing "supply in the request"; manager approval.',
  ],
};
