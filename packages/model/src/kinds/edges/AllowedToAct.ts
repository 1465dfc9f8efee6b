import type { EdgeDefinition } from '../edgeDefinition.ts';
import { IMPERSONATION } from '../efforts.ts';

export const AllowedToAct = {
  id: 11,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable'],
  category: 'credentials',
  phrase: 'can act for others on',
  meaning: 'It can act as other users to the computer (resource-based delegation).',
  removal: 'Clear msDS-AllowedToActOnBehalfOfOtherIdentity of the computer.',
  effort: IMPERSONATION,
} as const satisfies EdgeDefinition;
