import { NodeSet } from '@clew/graph';
import type { FindingFacts } from '../../../findingFacts.ts';
import { permissionInheritance } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

/** Groups that SDProp always protects, with their members; dSHeuristics can exclude others. Source: Microsoft, protected accounts. */
const ALWAYS_PROTECTED = ['-512', '-518', '-519', 'S-1-5-32-544'] as const;

export const privilegedWithoutAdminCount = {
  kind: 'list',
  id: 'PrivilegedWithoutAdminCount',
  title: 'Privileged Accounts Without the Mark of Protection',
  ...classed({ platform: 'ad', category: 'LP', scope: 'tier-zero', nature: 'safeguard', floor: 'low' }),
  family: permissionInheritance,
  remedy: {
    risk: 'SDProp marks every member of these groups within the hour, and guards it with the permissions of AdminSDHolder. Without the mark the account keeps the permissions of its unit, so a help desk may be able to reset its password.',
    fix: 'Find out why the account is not protected; if it shall stay a member, let SDProp protect it.',
    steps: [
      'Compare the time of the collection with the time at which the account joined the group (event 4728, 4732 or 4756): within the first hour the mark is still missing.',
      'If somebody added it without being asked, take it out again and find out who did it.',
      'Check that SDProp runs: on the controller with the role of PDC emulator, start it (rootDSE attribute runProtectAdminGroupsTask), wait some minutes and read adminCount of the account.',
      'If adminCount is still 0, look at replication, and at the rights of the controllers on the account: SDProp needs the right to change its permissions.',
    ],
    verify: [
      'adminCount of the account is 1, its inheritance is off, and its access list is that of AdminSDHolder.',
    ],
    care: 'Once it is protected, the account loses permissions that its unit passed on: a help desk, or a tool for passwords, can no longer change it. Never set adminCount by hand: it protects nothing.',
    prevent: 'Alert on new members of these groups.',
  },
  what: 'A user or group belongs to Administrators, Domain Admins, Enterprise Admins or Schema Admins of its domain, but adminCount says that SDProp does not protect it.',
  needs: ['admincount'],
  find: (facts) => {
    const unmarked = facts.users.or(facts.groups).and(facts.tierZero).and(facts.is('admincount', false));
    if (unmarked.isEmpty) return unmarked;
    return NodeSet.union(
      unmarked.capacity,
      [...protectedByDomain(facts)].map(([domain, groups]) =>
        // Each domain protects its own accounts.
        facts
          .membersOf(NodeSet.of(unmarked.capacity, groups))
          .and(unmarked)
          .filter((node) => facts.domainOf(node) === domain),
      ),
    );
  },
} as const satisfies ListFindingType;

function protectedByDomain(facts: FindingFacts): ReadonlyMap<number, number[]> {
  const groups = facts.withSuffix(facts.groups, ...ALWAYS_PROTECTED);
  return Map.groupBy(groups, (group) => facts.domainOf(group));
}
