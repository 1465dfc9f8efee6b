import type { EdgeDefinition } from '../edgeDefinition.ts';
import { SPECIAL_TOOL } from '../efforts.ts';

export const DumpSMSAPassword = {
  id: 13,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable'],
  category: 'credentials',
  phrase: 'stores the password of',
  meaning: 'The computer stores the password of the service account.',
  removal: 'Remove the account from the computer, or replace it with a group managed service account.',
  effort: SPECIAL_TOOL,
} as const satisfies EdgeDefinition;
