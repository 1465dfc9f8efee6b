import { preAuthentication } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { withoutPreAuthentication } from './common.ts';

export const asrepRoasting = {
  kind: 'list',
  id: 'ASREPRoasting',
  title: 'AS-REP Roastable User Accounts',
  ...classed({ platform: 'ad', category: 'KR', scope: 'hygiene', nature: 'opening' }),
  effort: 8,
  floor: 'low',
  family: preAuthentication,
  remedy: {
    care: 'Very old clients that cannot pre-authenticate can no longer log on with the account.',
  },
  what: 'An enabled user account does not require Kerberos pre-authentication.',
  needs: ['dontreqpreauth'],
  find: withoutPreAuthentication,
} as const satisfies ListFindingType;
