import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { ONE_CERTIFICATE } from '../efforts.ts';
import { TEMPLATE_ENROLLMENT } from '../removals.ts';

export const ADCSESC1 = {
  id: 70,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable'],
  category: 'certificates',
  phrase: "can get a certificate in anyone's name in",
  meaning: 'The template lets the requester supply another subject.',
  removal: TEMPLATE_ENROLLMENT,
  effort: ONE_CERTIFICATE,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Principal → Domain: enrolls in a template that is issued freely, authenticates, and lets the',
    'enroller supply the subject, at an active CA that publishes it.',
  ],
  removedBy: [
    'clearing "Supply in the request", manager approval, an authorized signature (schema version 2), or',
    'removing the usages that allow authentication.',
  ],
};
