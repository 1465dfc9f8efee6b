import type { EdgeDefinition } from '../edgeDefinition.ts';
import { IN_THE_TOKEN } from '../efforts.ts';

export const HasSIDHistory = {
  id: 12,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable'],
  category: 'credentials',
  phrase: 'has in its SID history the SID of',
  meaning: 'Its tickets also give the rights of the other account.',
  removal: 'Clear sIDHistory of the account.',
  effort: IN_THE_TOKEN,
} as const satisfies EdgeDefinition;
