import type { EdgeDefinition } from '../edgeDefinition.ts';
import { ONE_REPLICATION } from '../efforts.ts';

export const DCFor = {
  id: 15,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable'],
  category: 'structure',
  phrase: 'is a domain controller of',
  meaning: 'A domain controller stores the secrets of the whole domain.',
  removal: 'None: protect the domain controller like the domain itself.',
  effort: ONE_REPLICATION,
} as const satisfies EdgeDefinition;
