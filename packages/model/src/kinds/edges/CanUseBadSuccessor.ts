import type { EdgeDefinition } from '../edgeDefinition.ts';
import { SPECIAL_TOOL } from '../efforts.ts';

export const CanUseBadSuccessor = {
  id: 94,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable', 'experimental'],
  category: 'control',
  phrase: 'can create a successor account of',
  meaning: 'A delegated managed service account can get the rights of the account that it succeeds.',
  removal: 'Remove the right to create such accounts in the container.',
  effort: SPECIAL_TOOL,
} as const satisfies EdgeDefinition;
