import { delegationProtection } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { enabledTierZeroUsers, protectedUsers } from './common.ts';

export const t0UserNotProtected = {
  kind: 'list',
  id: 'T0UserNotProtected',
  title: 'Tier Zero Users Outside Protected Users',
  ...classed({ platform: 'ad', category: 'KR', scope: 'tier-zero', nature: 'safeguard', floor: 'low' }),
  family: delegationProtection,
  remedy: {
    risk: 'Outside the group, privileged users can still log on with NTLM or RC4, and their logons can be cached and delegated.',
    fix: 'Add the account to Protected Users.',
    verify: ['The account is a member of Protected Users, and its owner can still do all daily tasks.'],
  },
  what: 'An enabled Tier Zero user that is not a service account is not a member of Protected Users.',
  needs: [],
  reads: { nodeProperties: ['hasspn'] },
  find: (facts) =>
    enabledTierZeroUsers(facts)
      .andNot(facts.is('hasspn', true))
      .andNot(facts.managed())
      .andNot(protectedUsers(facts)),
} as const satisfies ListFindingType;
