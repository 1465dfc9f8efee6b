import { permissionInheritance } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

/** Groups whose members AdminSDHolder protects. Source: Microsoft, protected accounts and groups. */
const PROTECTED_GROUPS = [
  '-512',
  '-516',
  '-518',
  '-519',
  '-521',
  '-526',
  '-527',
  'S-1-5-32-544',
  'S-1-5-32-548',
  'S-1-5-32-549',
  'S-1-5-32-550',
  'S-1-5-32-551',
  'S-1-5-32-552',
] as const;

const PROTECTED_USERS = ['-500', '-502'] as const;

export const adminCountOrphans = {
  kind: 'list',
  id: 'AdminCountOrphans',
  title: 'Former Protected Accounts With Leftover Permissions',
  ...classed({ platform: 'ad', category: 'LP', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: permissionInheritance,
  remedy: {
    risk: 'The object does not inherit the permissions of its organizational unit. Therefore delegated support teams have no access to it, and permission changes on the organizational unit do not apply.',
    fix: 'Clear adminCount on the former member, and enable inheritance on it again.',
    steps: [
      'Check that the object is no longer a direct or nested member of a protected group.',
      'Clear the attribute adminCount.',
      'Enable inheritance, and restore the default permissions of the object.',
    ],
  },
  what: 'An account has adminCount set, but is no longer a member of a protected group.',
  needs: ['admincount'],
  find: (facts) => {
    const groups = facts.withSuffix(facts.groups, ...PROTECTED_GROUPS);
    return facts.users
      .or(facts.groups)
      .or(facts.computers)
      .and(facts.is('admincount', true))
      .andNot(facts.membersOf(groups))
      .andNot(facts.withSuffix(facts.users, ...PROTECTED_USERS));
  },
} as const satisfies ListFindingType;
