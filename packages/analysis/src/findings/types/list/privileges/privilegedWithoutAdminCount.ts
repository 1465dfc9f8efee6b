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
    risk: 'SDProp sets adminCount on every member of these groups within an hour, and protects the member with the permissions of AdminSDHolder. Without this protection, the account keeps the permissions of its organizational unit, so a help desk may be able to reset its password.',
    fix: 'Find out why the account is not protected. If it should stay a member, make sure that SDProp protects it.',
    steps: [
      'Compare the time of the collection with the time at which the account joined the group (event 4728, 4732 or 4756): during the first hour, adminCount is not yet set.',
      'If someone added the account without approval, remove it, and find out who added it.',
      'Check that SDProp runs: start it on the PDC emulator (rootDSE attribute runProtectAdminGroupsTask), wait a few minutes, and read adminCount of the account.',
      'If adminCount is still 0, check replication, and the rights of the domain controllers on the account: SDProp needs the right to change its permissions.',
    ],
    verify: [
      'adminCount of the account is 1, inheritance is off, and its access control list matches AdminSDHolder.',
    ],
    care: 'When the account is protected, it loses permissions inherited from its organizational unit: a help desk or password tool can no longer change it. Never set adminCount manually: it protects nothing.',
    prevent: 'Alert on new members of these groups.',
  },
  what: 'A user or group belongs to Administrators, Domain Admins, Enterprise Admins or Schema Admins of its domain, but its adminCount shows that SDProp does not protect it.',
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
