/**
 * Finds the uses of the access that a package removes: logons, sessions, other rights of a group, templates. The data helps users
 * decide; prices do not depend on it.
 */
import { type AnalysisContext, attackSteps, environments, TEMPLATE_ENROLLMENT } from '@clew/analysis';
import { edgesOfKind, type NodeSet, neighborsOf, reachableNodes } from '@clew/graph';
import { EdgeKind, edgeKindById } from '@clew/model';
import type { Repair } from '../repairs/repair.ts';
import { affectedBy } from '../simulation/affected.ts';
import type { PackageUses } from './plannedTypes.ts';
import { hostOf, sessionsOn } from './prices/neighborFilters.ts';

/** An account is active if it logged on within this period before the collection. */
const ACTIVE_SECONDS = 90 * 86_400;
/** Maximum count of objects on which the groups of a package give rights: a default group has rights on most of a domain. */
export const MAX_GIVEN = 1000;
const LOGONS = ['lastlogon', 'lastlogontimestamp'] as const;
const MEMBERSHIPS: ReadonlySet<number> = new Set([
  ...[EdgeKind.MemberOf, EdgeKind.AZMemberOf, EdgeKind.MemberOfLocalGroup],
]);
const PUBLISHED = edgesOfKind(EdgeKind.PublishedTo);

/** @param now seconds since 1970 */
export function packageUses(context: AnalysisContext, repairs: readonly Repair[], now: number): PackageUses {
  const holders = [...new Set(repairs.flatMap((repair) => affectedBy(context, repair)?.holders ?? []))];
  const accounts = accountsOf(context, holders);
  const groups = repairs.filter(({ kind }) => kind === 'remove-member').map(({ object }) => object);
  const hosts = hostsOf(context, repairs);
  const authorities = enrollmentAt(context, repairs);
  return {
    ...(accounts.size > 0 && { active: activeOf(context, accounts, now) }),
    ...(hosts.length > 0 && { sessions: sessionsOf(context, hosts, accounts) }),
    ...(groups.length > 0 && { given: givenBy(context, new Set(groups)) }),
    ...(authorities.length > 0 && { templates: templatesAt(context, authorities) }),
  };
}

function accountsOf(context: AnalysisContext, holders: readonly number[]): NodeSet {
  const { filter } = context.edges('MemberOf', 'AZMemberOf', 'MemberOfLocalGroup');
  const { principals } = context.use(environments);
  return reachableNodes(context.graph, holders, { direction: 'in', filter }).and(principals);
}

const activeOf = ({ properties }: AnalysisContext, accounts: NodeSet, now: number): number =>
  accounts.filter((account) =>
    LOGONS.some((key) => (properties.number(key, account) ?? 0) > now - ACTIVE_SECONDS),
  ).size;

/** Computers on which a change removes a logon, or a member of a local group. */
function hostsOf({ graph }: AnalysisContext, repairs: readonly Repair[]): number[] {
  const found = new Set<number>();
  for (const { kind, object } of repairs) {
    if (kind === 'keep-off' || kind === 'remove-logon-right') found.add(object);
    const host = kind === 'remove-local-member' ? hostOf(graph, object) : undefined;
    if (host !== undefined) found.add(host);
  }
  return [...found];
}

const sessionsOf = ({ graph }: AnalysisContext, hosts: readonly number[], accounts: NodeSet): number =>
  hosts.reduce(
    (sum, host) => sum + sessionsOn(graph, host).filter((account) => accounts.has(account)).length,
    0,
  );

/** Number of objects to which a single attack step leads from a group, at most `MAX_GIVEN`. */
function givenBy({ graph }: AnalysisContext, groups: ReadonlySet<number>): number {
  const { allows } = attackSteps(graph);
  const found = new Set<number>();
  const { offsets, neighbors, kinds } = graph.out;
  for (const group of groups)
    for (let at = offsets[group]; at < offsets[group + 1] && found.size < MAX_GIVEN; at++)
      if (allows[kinds[at]] === 1 && !MEMBERSHIPS.has(kinds[at]) && edgeKindById(kinds[at]) !== undefined)
        found.add(neighbors[at]);
  return found.size;
}

/** Authorities on which a principal loses Enroll. */
const enrollmentAt = (context: AnalysisContext, repairs: readonly Repair[]): Repair[] => {
  const authorities = context.nodesOf('EnterpriseCA');
  return repairs.filter(({ object, edgeKinds }) => authorities.has(object) && edgeKinds.includes('Enroll'));
};

function templatesAt(context: AnalysisContext, repairs: readonly Repair[]): number {
  const enrollment = context.edges(...TEMPLATE_ENROLLMENT);
  const found = new Set<number>();
  for (const { object, principal } of repairs)
    for (const template of neighborsOf(context.graph, object, 'in', PUBLISHED))
      if (principal !== undefined && enrollment.startsOf(template).has(principal)) found.add(template);
  return found.size;
}
