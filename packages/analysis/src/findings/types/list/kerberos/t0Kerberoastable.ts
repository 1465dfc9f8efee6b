import { serviceTickets } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { kerberoastable } from './common.ts';

export const t0Kerberoastable = {
  kind: 'list',
  id: 'T0Kerberoastable',
  title: 'Kerberoastable Tier Zero Users',
  ...classed({ platform: 'ad', category: 'KR', scope: 'tier-zero', nature: 'opening' }),
  effort: 8,
  floor: 'high',
  family: serviceTickets,
  what: 'An enabled Tier Zero user has a service principal name, so anyone who guesses its password gains control of the environment.',
  needs: ['hasspn'],
  find: (facts) => kerberoastable(facts).and(facts.tierZero),
} as const satisfies ListFindingType;
