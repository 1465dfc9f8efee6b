import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { SPECIAL_TOOL } from '../efforts.ts';

export const CanApplyGPO = {
  id: 88,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable', 'experimental'],
  category: 'structure',
  phrase: 'can apply policies to',
  meaning: 'A principal that can link policies there controls the settings of the objects below.',
  removal: 'Remove the right to link policies there.',
  effort: SPECIAL_TOOL,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Principal → User or Computer below a domain or organizational unit on which the principal can link policies',
    '(WriteGPLink, GenericWrite, GenericAll, WriteDacl, Owns, WriteOwner). Feature `gpo_application`',
    '(off, experimental).',
  ],
  source: 'release 7.6, withdrawn in 8.0.',
  removedBy: 'revoking the right.',
};
