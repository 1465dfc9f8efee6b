import type { EdgeDefinition } from '../edgeDefinition.ts';
import { RELAYED_CALL } from '../efforts.ts';

export const CoerceToTGT = {
  id: 14,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable'],
  category: 'credentials',
  phrase: 'stores the Kerberos tickets of accounts that connect from',
  meaning: 'A computer with unconstrained delegation stores the tickets of everyone who authenticates to it.',
  removal: 'Replace unconstrained delegation with constrained delegation.',
  effort: RELAYED_CALL,
} as const satisfies EdgeDefinition;
