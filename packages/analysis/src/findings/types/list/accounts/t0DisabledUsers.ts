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
    risk: 'Anyone who may enable the account or reset its password gets its privileges back, and reviews of active accounts pass it by.',
    fix: 'Remove the account from its privileged groups, and delete it when no one needs it any more.',
    steps: [
      'Note the groups of the account, in case it has to come back.',
      'Remove it from every privileged group.',
      'Move it to a unit for disabled accounts, and delete it after your retention period.',
    ],
    verify: ['The account is no longer a member of any group of the zone (events 4729, 4733, 4757).'],
    care: 'Files and mailboxes that name the account lose their owner when it is deleted.',
    prevent: 'Let the process for leavers remove memberships, not only disable the account.',
  },
  what: 'A disabled user is still in Tier Zero; enabling it again restores its privileges.',
  needs: ['enabled'],
  find: (facts) =>
    facts.users
      .and(facts.tierZero)
      .and(facts.is('enabled', false))
      .andNot(facts.withSuffix(facts.users, KRBTGT, GUEST)),
} as const satisfies ListFindingType;
