/**
 * Finds members of a zone that do not belong there: disabled accounts and service accounts in its groups, and everyday accounts with roles
 * of Entra ID. Removing such an account from its groups and roles is an ordinary repair: the account leaves the zone, together with the
 * objects that are in the zone only because of it (its unit, policies that it processes). The plan graph places these nodes outside the
 * zone: their memberships and roles are steps with repairs.
 *
 * Rule: `docs/plan.md#the-plan-graph`.
 */
import {
  AnalysisContext,
  allReads,
  type EdgeRef,
  EXPANSION_READS,
  environments,
  type Kept,
  MEMBER_CRITERION_READS,
  ONCE,
  type Once,
  OTHER_CRITERION_READS,
  zoneByForest,
} from '@clew/analysis';
import {
  changeEdges,
  Drop,
  type EdgeFilter,
  KIND_COUNT,
  NodeSet,
  reachableNodes,
  withoutKinds,
} from '@clew/graph';
import { EdgeFlag, EdgeKind } from '@clew/model';
import { logonGroupFinder } from '../repairs/logonGroups.ts';
import { misplacedAs } from '../repairs/misplaced.ts';
import { isGivenGroup } from '../repairs/possibleChanges.ts';
import { type AnalyzedWorld, tierZeroOf } from '../simulation/simulate.ts';

const READS = allReads(EXPANSION_READS, MEMBER_CRITERION_READS, OTHER_CRITERION_READS);

/**
 * @param zone id @param members members of the zone
 * @returns members that are in the zone only through memberships of accounts that do not belong there
 */
export function leaversOf(world: AnalyzedWorld, zone: number, members: NodeSet, steps: EdgeFilter): NodeSet {
  const { context, options } = world;
  const nothing = NodeSet.empty(context.graph.nodeCount);
  const memberships = misplacedMemberships(context, members);
  if (memberships.length === 0) return nothing;
  const left = options.zonesOf(contextWithout(context, memberships)).find(({ id }) => id === zone);
  if (left === undefined) return nothing;
  const staying = left.members.and(members);
  // A forest without members would have no figures.
  const known = context.use(environments);
  if (zoneByForest(known, staying).length < zoneByForest(known, members).length) return nothing;
  const leading = reachableNodes(context.attackGraph, staying, { direction: 'in', filter: steps });
  return members.andNot(staying).and(leading);
}

/** Whether the node is no longer in Tier Zero without these memberships: a selector, a container or other members may keep it there. */
export function leavesTierZero(
  { context, options }: Pick<AnalyzedWorld, 'context' | 'options'>,
  node: number,
  memberships: readonly EdgeRef[],
): boolean {
  return tierZeroOf(options.zonesOf(contextWithout(context, memberships)))?.has(node) !== true;
}

/** Direct memberships in groups and roles of the zone, of accounts that are disabled, run services, or are everyday accounts. */
function misplacedMemberships(context: AnalysisContext, members: NodeSet): EdgeRef[] {
  const { graph } = context;
  const isLogonGroup = logonGroupFinder(graph);
  const found: EdgeRef[] = [];
  accountsIn(context, members).forEach((account) => {
    if (misplacedAs(context, account) === undefined) return;
    context.edges(...WAYS_IN).outOf(account, (group, kind, flags) => {
      const isMade = (flags & (EdgeFlag.Derived | EdgeFlag.PrimaryGroup)) === 0;
      if (isMade && members.has(group) && !isGivenGroup(graph, group) && !isLogonGroup(group))
        found.push({ start: account, kind, end: group });
    });
  });
  return found;
}

const WAYS_IN = ['MemberOf', 'AZMemberOf', 'AZHasRole', 'AZRoleEligible'] as const;

/** @returns all memberships and roles, also those that no one can remove, through which an account is in the zone */
export function waysInto(context: AnalysisContext, members: NodeSet, account: number): EdgeRef[] {
  const found: EdgeRef[] = [];
  context.edges(...WAYS_IN).outOf(account, (end, kind) => {
    if (members.has(end)) found.push({ start: account, kind, end });
  });
  return found;
}

const STAYING: Kept<Once, NodeSet> = { name: 'accounts that stay in Tier Zero without groups and roles' };

/** @returns accounts that do not belong in Tier Zero, but stay also without their groups and roles */
export const stayingWithoutGroups = (world: AnalyzedWorld, members: NodeSet): NodeSet =>
  world.memory.use(STAYING, ONCE, () => {
    const { context, options } = world;
    const accounts = accountsIn(context, members).filter((one) => misplacedAs(context, one) !== undefined);
    const ways = [...accounts].flatMap((one) => waysInto(context, members, one));
    const left = tierZeroOf(options.zonesOf(contextWithout(context, ways)));
    return left === undefined ? accounts : accounts.and(left);
  });

function accountsIn(context: AnalysisContext, members: NodeSet): NodeSet {
  const kinds = (['User', 'Computer', 'AZUser'] as const).map((kind) => context.nodesOf(kind));
  return members.and(NodeSet.union(context.graph.nodeCount, kinds));
}

/** The facts that determine zone membership, without these relations. */
function contextWithout(context: AnalysisContext, removed: readonly EdgeRef[]): AnalysisContext {
  const { graph, properties, edgeProperties, options } = context;
  const drops = new Uint8Array(KIND_COUNT).fill(Drop.all);
  for (const name of READS.edges) drops[EdgeKind[name]] = Drop.none;
  return new AnalysisContext({
    ...{ properties, edgeProperties, options, cancelNow: () => context.cancel },
    graph: changeEdges(withoutKinds(graph, drops, EdgeFlag.Derived), { removed, added: [] }),
  });
}
