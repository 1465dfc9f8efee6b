import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { PASSED_ON } from '../efforts.ts';

export const ContainsIdentity = {
  id: 85,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable', 'experimental'],
  category: 'structure',
  phrase: 'contains',
  meaning: 'The container contains this principal.',
  removal: 'Move the object to another container.',
  effort: PASSED_ON,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Domain or OU → protected object below, or account below that (see NotPassedOn). With the feature',
    '`containment_edges` also Domain → User or Computer of the domain (off, experimental; the',
    'references describe it in one sentence).',
  ],
  source: 'release 7.6, withdrawn in 8.0; ours for protected objects.',
  removedBy: 'moving the object.',
};
