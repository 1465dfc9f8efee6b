import { preAuthentication } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { withoutPreAuthentication } from './common.ts';

export const t0ASREPRoastable = {
  kind: 'list',
  id: 'T0ASREPRoastable',
  title: 'AS-REP Roastable Tier Zero Users',
  ...classed({ platform: 'ad', category: 'KR', scope: 'tier-zero', nature: 'opening' }),
  effort: 8,
  floor: 'high',
  family: preAuthentication,
  what: 'An enabled Tier Zero user does not require Kerberos pre-authentication.',
  needs: ['dontreqpreauth'],
  find: (facts) => withoutPreAuthentication(facts).and(facts.tierZero),
} as const satisfies ListFindingType;
