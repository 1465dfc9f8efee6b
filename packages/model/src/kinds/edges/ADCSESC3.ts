import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { TWO_REQUESTS } from '../efforts.ts';
import { TEMPLATE_ENROLLMENT } from '../removals.ts';

export const ADCSESC3 = {
  id: 71,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable'],
  category: 'certificates',
  phrase: 'can get certificates for others in',
  meaning: 'With an enrollment agent certificate, its holder can request certificates on behalf of others.',
  removal: TEMPLATE_ENROLLMENT,
  effort: TWO_REQUESTS,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Principal → Domain: can enroll in an agent template and, on behalf of others, in a target template',
    '(EnrollOnBehalfOf) that authenticates; neither needs approval, the agent template needs no',
    'signature, and the principal can enroll at both CAs, which share the domain. If',
    'restrictions of enrollment agents were collected and exist, only delegated agents',
    '(DelegatedEnrollmentAgent) count. **Restrictions that were not collected count as absent**, the',
    'default of Windows. This rule includes ESC2: a certificate for any purpose, or without any usage, can be used',
    'as an agent certificate for target templates of version 1, such as the User template, which CAs',
    'publish by default; alone, it authenticates only its own holder.',
  ],
  removedBy: [
    'approval or a signature on the agent template, approval on the target template, or restricting',
    'enrollment agents on the CA.',
  ],
};
