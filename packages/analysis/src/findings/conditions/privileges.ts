/** Who is in which group, whose permissions are inherited, what history and trusts let in. Shared reference `findings.md` 2.13. */
import { findNode, NO_NODE, NodeSet, reachableNodes } from '@clew/graph';
import type { EdgeKindName } from '@clew/model';
import { environments } from '../environments.ts';
import type { FindingFacts } from '../findingFacts.ts';
import type { ConditionGroup } from './condition.ts';

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

const PRIVILEGED_SID = /-(500|512|516|518|519|521|544|548|549|550|551)$/;

/** Rights in the access list of a unit by which it is delegated. */
const DELEGATING: readonly EdgeKindName[] = [
  'GenericAll',
  'GenericWrite',
  'WriteDacl',
  'WriteOwner',
  'Owns',
  'AllExtendedRights',
];

const MOST_DOMAIN_ADMINS = 20;

export const PRIVILEGE_CONDITIONS: ConditionGroup = {
  reads: {
    edges: ['Contains', 'GPLink', 'SpoofSIDHistory', ...DELEGATING],
    nodeProperties: [
      'admincount',
      'isaclprotected',
      'sidhistory',
      'distinguishedname',
      'msds-revealondemandgroup',
      'msds-neverrevealgroup',
    ],
  },
  conditions: {
    AdminCountOrphans: {
      find: (facts) => {
        const groups = facts.withSuffix(facts.groups, ...PROTECTED_GROUPS);
        return facts.users
          .or(facts.groups)
          .or(facts.computers)
          .and(facts.is('admincount', true))
          .andNot(facts.membersOf(groups))
          .andNot(facts.withSuffix(facts.users, ...PROTECTED_USERS));
      },
    },
    T0InheritanceEnabled: { find: inheritingBelowDelegatedUnits },
    SIDHistoryPresent: {
      find: (facts) => accountsWithHistory(facts, () => true),
    },
    PrivilegedSIDHistory: {
      find: (facts) => accountsWithHistory(facts, (sid) => PRIVILEGED_SID.test(sid.toUpperCase())),
    },
    // As for the edge: the domain that falls is the one whose trust does not filter.
    TrustWithoutSIDFiltering: {
      find: (facts) =>
        facts.of('Domain').filter((node) => !facts.edges('SpoofSIDHistory').startsOf(node).isEmpty),
    },
    PreWindows2000Access: {
      find: (facts) => {
        const broad = facts.withSuffix(facts.groups, '-S-1-1-0', '-S-1-5-7', '-S-1-5-11');
        return facts
          .withSuffix(facts.groups, 'S-1-5-32-554')
          .filter((group) => directMembers(facts, group).intersects(broad));
      },
    },
    OperatorsGroupsUsed: {
      find: (facts) =>
        notEmpty(facts, facts.withSuffix(facts.groups, 'S-1-5-32-548', 'S-1-5-32-549', 'S-1-5-32-550')),
    },
    SchemaAdminsNotEmpty: {
      find: (facts) => {
        const administrators = facts.withSuffix(facts.users, '-500');
        return facts.withSuffix(facts.groups, '-518').filter((group) => {
          const members = membersAtAnyDepth(facts, group).and(facts.users.or(facts.computers));
          return !members.isSubsetOf(administrators);
        });
      },
    },
    DnsAdminsNotEmpty: {
      find: (facts) =>
        notEmpty(
          facts,
          facts.groups.filter((node) => facts.name(node).startsWith('DNSADMINS@')),
        ),
    },
    TooManyDomainAdmins: { find: crowdedDomains },
    NestedForeignPrincipals: {
      find: (facts) => {
        const groups = facts.groups.and(facts.tierZero);
        const members = facts.edges('MemberOf');
        return facts.directMembersOf(groups).filter((member) => {
          let foreign = false;
          members.outOf(member, (group) => {
            foreign ||= groups.has(group) && isForeign(facts, member, group);
          });
          return foreign;
        });
      },
    },
    ComputersInPrivilegedGroups: {
      find: (facts) => {
        const meant = facts
          .withSuffix(facts.groups, '-516', '-521', '-498', '-517', '-S-1-5-9')
          .or(facts.groups.filter((node) => facts.name(node).startsWith('EXCHANGE ')));
        return facts.directMembersOf(facts.groups.and(facts.tierZero).andNot(meant)).and(facts.computers);
      },
    },
    RodcRevealsPrivileged: { find: revealingControllers },
    GPOOwnedOutside: {
      find: (facts) =>
        facts
          .of('GPO')
          .and(facts.tierZero)
          .filter((policy) => !facts.edges('Owns').startsOf(policy).isSubsetOf(facts.tierZero)),
    },
    GPOUnlinked: {
      find: (facts) => facts.of('GPO').filter((policy) => facts.edges('GPLink').endsOf(policy).isEmpty),
    },
  },
};

function directMembers(facts: FindingFacts, group: number): NodeSet {
  return facts.edges('MemberOf').startsOf(group).without(group);
}

function notEmpty(facts: FindingFacts, groups: NodeSet): NodeSet {
  return groups.filter((group) => !directMembers(facts, group).isEmpty);
}

function membersAtAnyDepth(facts: FindingFacts, group: number): NodeSet {
  const { graph, cancel } = facts.context;
  const { filter } = facts.edges('MemberOf');
  return reachableNodes(graph, [group], { direction: 'in', filter, cancel }).without(group);
}

function inheritingBelowDelegatedUnits(facts: FindingFacts): NodeSet {
  const inheriting = facts.users
    .or(facts.groups)
    .or(facts.computers)
    .and(facts.tierZero)
    .and(facts.is('isaclprotected', false));
  if (inheriting.isEmpty) return inheriting;
  const rights = facts.edges(...DELEGATING);
  const delegated = facts.of('OU').filter((unit) => !rights.startsOf(unit).isSubsetOf(facts.tierZero));
  const { graph, cancel } = facts.context;
  const below = reachableNodes(graph, delegated, { filter: facts.edges('Contains').filter, cancel });
  return inheriting.and(below);
}

function accountsWithHistory(facts: FindingFacts, test: (sid: string) => boolean): NodeSet {
  return facts.users
    .or(facts.computers)
    .or(facts.groups)
    .filter((node) => facts.texts('sidhistory', node).some((sid) => sid !== '' && test(sid)));
}

/** Domains with more than so many enabled users in their administrative groups, at any depth. */
function crowdedDomains(facts: FindingFacts): NodeSet {
  const administrative = facts.withSuffix(facts.groups, '-512', '-519', '-544');
  const byDomain = Map.groupBy(administrative, (group) => facts.domainOf(group));
  const users = facts.enabled(facts.users);
  return facts.of('Domain').filter((domain) => {
    const groups = byDomain.get(domain) ?? [];
    const members = groups.reduce(
      (all, group) => all.or(membersAtAnyDepth(facts, group)),
      facts.context.emptySet(),
    );
    return members.intersectionSize(users) > MOST_DOMAIN_ADMINS;
  });
}

function isForeign(facts: FindingFacts, member: number, group: number): boolean {
  const { of, nodes } = facts.context.use(environments);
  const domains = facts.of('Domain');
  if (!domains.has(nodes[of[member]]) || !domains.has(nodes[of[group]])) return false;
  return !facts.sameForest(member, group) && !facts.sameForest(group, member);
}

/** Lists of a read-only controller name users and groups, by distinguished name or SID. */
function revealingControllers(facts: FindingFacts): NodeSet {
  return facts.readOnlyControllers().filter((controller) => {
    const allowed = named(facts, facts.texts('msds-revealondemandgroup', controller));
    if (allowed.isEmpty) return false;
    const denied = named(facts, facts.texts('msds-neverrevealgroup', controller));
    return facts
      .membersOf(allowed)
      .andNot(facts.membersOf(denied))
      .and(facts.users)
      .intersects(facts.tierZero);
  });
}

function named(facts: FindingFacts, names: readonly string[]): NodeSet {
  const { graph, properties } = facts.context;
  const sets = names.map((text) => {
    const name = text.toUpperCase();
    const node = findNode(graph, name);
    return node === NO_NODE
      ? properties.nodesWhere('distinguishedname', name)
      : NodeSet.of(graph.nodeCount, [node]);
  });
  return NodeSet.union(graph.nodeCount, sets);
}
