import { primaryGroups } from '../../../../directory/primaryGroups.ts';
import { zoneMembership } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const nonDefaultPrimaryGroup = {
  kind: 'list',
  id: 'NonDefaultPrimaryGroup',
  title: 'Accounts With an Unusual Primary Group',
  ...classed({ platform: 'ad', category: 'LP', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: zoneMembership,
  remedy: {
    risk: 'The member list of a group does not show members by primary group, so reviews overlook them.',
    fix: 'Restore the default primary group. If the account needs the other group, add it as an ordinary member.',
    verify: [
      'primaryGroupID is 513 for users, 515 for computers, 516 for domain controllers, 521 for read-only domain controllers.',
    ],
  },
  what: 'The primary group of the account is not the Windows default.',
  needs: [],
  reads: { shared: [primaryGroups] },
  find: (facts) => {
    const { notOfUsers, notOfComputers } = facts.context.use(primaryGroups);
    const managed = facts.managed();
    return facts.users
      .andNot(managed)
      .and(notOfUsers)
      .or(facts.computers.or(facts.users.and(managed)).and(notOfComputers));
  },
} as const satisfies ListFindingType;
