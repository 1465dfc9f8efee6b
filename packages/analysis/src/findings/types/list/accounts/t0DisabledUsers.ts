import { staleAccounts } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { GUEST, KRBTGT } from './common.ts';

export const t0DisabledUsers = {
  kind: 'list',
  id: 'T0DisabledUsers',
  title: 'Disabled Accounts Still in Tier Zero',
  ...classed({ platform: 'ad', category: 'AH', scope: 'tier-zero', nature: 'safeguard', floor: 'low' }),
  family: staleAccounts,
  remedy: {
    risk: 'Anyone who can enable the account or reset its password regains its privileges, and reviews of active accounts do not include it.',
    fix: 'Remove the account from its privileged groups, and delete it when no one needs it.',
    steps: [
      'Record the groups of the account, in case you have to restore them.',
      'Remove it from every privileged group.',
      'Move the account to an organizational unit for disabled accounts, and delete it after your retention period.',
    ],
    verify: ['The account is no longer a member of any group of the zone (events 4729, 4733, 4757).'],
    care: 'Files and mailboxes of the account lose their owner when you delete it.',
    prevent: 'Make the offboarding process remove memberships, not only disable the account.',
  },
  what: 'A disabled user is still in Tier Zero. If someone enables it again, it has its privileges again.',
  needs: ['enabled'],
  find: (facts) =>
    facts.users
      .and(facts.tierZero)
      .and(facts.is('enabled', false))
      .andNot(facts.withSuffix(facts.users, KRBTGT, GUEST)),
} as const satisfies ListFindingType;
