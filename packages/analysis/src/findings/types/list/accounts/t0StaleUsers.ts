import { staleAccounts } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { unused } from './common.ts';

export const t0StaleUsers = {
  kind: 'list',
  id: 'T0StaleUsers',
  title: 'Unused Tier Zero Accounts',
  ...classed({ platform: 'ad', category: 'AH', scope: 'tier-zero', nature: 'safeguard', floor: 'moderate' }),
  family: staleAccounts,
  remedy: {
    risk: 'If someone else uses a privileged account that its owner does not use, no one notices.',
    fix: 'Remove the privileges from the account, then disable it; exempt tested break-glass accounts.',
  },
  what: 'An enabled Tier Zero user has not logged on for 45 days, and no session of it was collected.',
  needs: ['lastlogontimestamp'],
  reads: { edges: ['HasSession'] },
  find: (facts) =>
    unused(facts, facts.users.and(facts.tierZero), 45).filter((node) => facts.lastLogon(node) !== 0),
} as const satisfies ListFindingType;
