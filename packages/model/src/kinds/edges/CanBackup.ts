import type { EdgeDefinition } from '../edgeDefinition.ts';
import { SPECIAL_TOOL } from '../efforts.ts';

export const CanBackup = {
  id: 92,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable', 'experimental'],
  category: 'access',
  phrase: 'can back up',
  meaning: 'Backup privileges allow reading and writing every file on the computer.',
  removal: 'Remove the principal from Backup Operators.',
  effort: SPECIAL_TOOL,
} as const satisfies EdgeDefinition;
