import { delegationProtection } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { enabledTierZeroUsers, protectedUsers } from './common.ts';

export const t0MarkSensitive = {
  kind: 'list',
  id: 'T0MarkSensitive',
  title: 'Tier Zero Objects Lack Kerberos Delegation Protection',
  ...classed({ platform: 'ad', category: 'KR', scope: 'tier-zero', nature: 'safeguard', floor: 'low' }),
  family: delegationProtection,
  remedy: {
    care: 'A marked account can no longer be delegated: web front ends and management tools that pass its logon on to another server fail for it. Protected Users also disables NTLM, RC4 and cached logons. Keep a tested emergency account outside the group.',
  },
  what: 'An enabled Tier Zero user is neither marked as sensitive nor a member of Protected Users.',
  needs: ['sensitive'],
  find: (facts) =>
    enabledTierZeroUsers(facts).andNot(facts.is('sensitive', true)).andNot(protectedUsers(facts)),
} as const satisfies ListFindingType;
