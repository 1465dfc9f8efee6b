import { serviceTickets } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { kerberoastable } from './common.ts';

export const kerberoasting = {
  kind: 'list',
  id: 'Kerberoasting',
  title: 'Kerberoastable User Accounts',
  ...classed({ platform: 'ad', category: 'KR', scope: 'hygiene', nature: 'opening' }),
  effort: 8,
  floor: 'low',
  family: serviceTickets,
  what: 'An enabled user account has a service principal name, so any user can request a service ticket that is encrypted with its password.',
  needs: ['hasspn'],
  find: kerberoastable,
} as const satisfies ListFindingType;
