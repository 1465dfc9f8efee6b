import type { EdgeDefinition } from '../edgeDefinition.ts';
import { IMPERSONATION } from '../efforts.ts';

export const AllowedToAct = {
  id: 11,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable'],
  category: 'credentials',
  phrase: 'may act for others on',
  meaning: 'It can act as others toward the computer (resource-based delegation).',
  removal: 'Empty msDS-AllowedToActOnBehalfOfOtherIdentity of the computer.',
  effort: IMPERSONATION,
} as const satisfies EdgeDefinition;
