import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { TWO_REQUESTS } from '../efforts.ts';
import { TEMPLATE_ENROLLMENT } from '../removals.ts';

export const ADCSESC4 = {
  id: 72,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable'],
  category: 'certificates',
  phrase: 'can rewrite templates of',
  meaning: 'Anyone who controls a template can make it unsafe.',
  removal: TEMPLATE_ENROLLMENT,
  effort: TWO_REQUESTS,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Principal → Domain: can enroll at an active CA and change one of its templates so that',
    'ADCSESC1 applies. Sufficient rights are: full control (Owns, GenericAll, WriteDacl, WriteOwner); GenericWrite',
    'with a right to enroll; or, for templates that authenticate and need no signature, a right to',
    'enroll with WritePKINameFlag and WritePKIEnrollmentFlag (only one of them if the other setting',
    'is already weak).',
  ],
  removedBy: 'removing these rights from everyone except administrators.',
};
