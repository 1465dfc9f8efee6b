import type { EdgeDefinition } from '../edgeDefinition.ts';
import { SPECIAL_TOOL } from '../efforts.ts';

export const CanReanimateTombstone = {
  id: 93,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable', 'experimental'],
  category: 'control',
  phrase: 'can restore deleted objects in',
  meaning: 'A restored object has its rights again.',
  removal: 'Remove the right to reanimate tombstones.',
  effort: SPECIAL_TOOL,
} as const satisfies EdgeDefinition;
