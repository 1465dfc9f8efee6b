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
    risk: 'A membership by primary group does not show in the list of members of the group, so reviews overlook it.',
    fix: 'Make the usual group the primary one again, and the account a member of the other group where it needs that.',
    verify: [
      'primaryGroupID is 513 for users, 515 for computers, 516 for controllers, 521 for read-only ones.',
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
