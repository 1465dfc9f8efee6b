import { staleAccounts } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { unused } from './common.ts';

export const staleUsers = {
  kind: 'list',
  id: 'StaleUsers',
  title: 'Enabled Users Without Recent Logon',
  ...classed({ platform: 'ad', category: 'AH', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: staleAccounts,
  remedy: {
    fix: 'Disable the unused account, remove it from its groups, and delete it later.',
  },
  what: 'An enabled user has not logged on for 90 days, and no session of it was collected.',
  needs: ['lastlogontimestamp', 'whencreated'],
  reads: { edges: ['HasSession'] },
  find: (facts) => unused(facts, facts.users, 90),
} as const satisfies ListFindingType;
