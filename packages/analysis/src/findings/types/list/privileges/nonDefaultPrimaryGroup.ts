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
    steps: [
      'Read primaryGroupID of the account: it is the last part of the SID of the primary group. Find out why it was changed, for example by an application of UNIX or Macintosh computers.',
      'Make the account a member of the default group: Domain Users for users, Domain Computers for computers, Domain Controllers for domain controllers.',
      'Make the default group the primary group (tab "Member Of", "Set Primary Group"). The former primary group then lists the account as an ordinary member.',
      'Remove the account from the former primary group unless it needs it.',
    ],
    verify: [
      'primaryGroupID is 513 for users, 515 for computers, 516 for domain controllers, 521 for read-only domain controllers.',
    ],
    care: 'Files of UNIX and Macintosh applications may belong to the primary group. The account loses the rights of the former primary group only when you remove it from that group.',
    prevent: 'Alert on changes of primaryGroupID (event 4738 or 4742).',
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
