import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { PASSED_ON } from '../efforts.ts';

export const PropagatesACEsTo = {
  id: 86,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable', 'experimental'],
  category: 'structure',
  phrase: 'passes its permissions down to',
  meaning: "The object inherits the entries of the container's access control list.",
  removal: 'Block inheritance on the object, or move it.',
  effort: PASSED_ON,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Container → direct child that is known to inherit permissions. Feature `containment_edges` (off,',
    'experimental; as above).',
  ],
  source: 'release 7.6, withdrawn in 8.0.',
  removedBy: 'blocking inheritance on the child.',
};
