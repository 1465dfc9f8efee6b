import { staleAccounts } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { unused } from './common.ts';

export const neverLoggedOnT0 = {
  kind: 'list',
  id: 'NeverLoggedOnT0',
  title: 'Tier Zero Account Never Used',
  ...classed({ platform: 'ad', category: 'AH', scope: 'tier-zero', nature: 'safeguard', floor: 'low' }),
  family: staleAccounts,
  remedy: {
    risk: 'A privileged account that was never used may still have its initial password.',
    fix: 'Find out who needs the account. Disable it, or let its owner set a new password.',
  },
  what: 'An enabled Tier Zero user older than 30 days has never logged on, and no session of it was collected.',
  needs: ['lastlogontimestamp', 'whencreated'],
  reads: { edges: ['HasSession'] },
  find: (facts) =>
    unused(facts, facts.users.and(facts.tierZero), 30).filter((node) => facts.lastLogon(node) === 0),
} as const satisfies ListFindingType;
