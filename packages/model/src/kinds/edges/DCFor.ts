import type { EdgeDefinition } from '../edgeDefinition.ts';
import { ONE_REPLICATION } from '../efforts.ts';

export const DCFor = {
  id: 15,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable'],
  category: 'structure',
  phrase: 'is a domain controller of',
  meaning: 'A domain controller holds the secrets of the whole domain.',
  removal: 'None: protect the controller as the domain itself.',
  effort: ONE_REPLICATION,
} as const satisfies EdgeDefinition;
