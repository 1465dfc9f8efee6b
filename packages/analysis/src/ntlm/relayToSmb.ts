/**
 * CoerceAndRelayNTLMToSMB: a computer that does not require SMB signing, and on which another coercible computer is a local administrator.
 * The edge points at the relay target.
 *
 * Rule: `docs/rules.md#coerceandrelayntlmtosmb`. The public product lists only coercion targets of the same domain, although it derives the
 * edge across domains; here the lists show everything behind the edge.
 */
import { NO_NODE, NodeSet } from '@clew/graph';
import type { AnalysisContext, Reads, Shared } from '../analysisContext.ts';
import { CompositionBuilder } from '../composition.ts';
import { explainMembership } from '../directory/heldRights.ts';
import { membership } from '../directory/membership.ts';
import { specialGroupNodes } from '../directory/specialGroups.ts';
import { TwoMembers } from '../directory/twoMembers.ts';
import type { EdgeRef } from '../edgeRef.ts';
import type { Rule } from '../rule.ts';
import { coercibleComputers } from './coercibleComputers.ts';

/** Computers that do not require signing. */
const unsignedComputers: Shared<NodeSet> = {
  name: 'computers without SMB signing',
  reads: { nodeProperties: ['smbsigning'] },
  build: (context) => context.nodesOf('Computer').and(context.properties.nodesWhere('smbsigning', false)),
};

/** The facts that determine relay targets, apart from memberships. */
const TARGET_READS: Reads = {
  edges: ['AdminTo'],
  nodeProperties: ['domainsid'],
  shared: [unsignedComputers],
};

export const relayToSmb: Rule = {
  name: 'CoerceAndRelayNTLMToSMB',
  produces: ['CoerceAndRelayNTLMToSMB'],
  feature: 'ntlm_post_processing',
  reads: {
    edges: ['AdminTo', 'MemberOf', 'MemberOfLocalGroup'],
    nodeProperties: ['domainsid'],
    shared: [coercibleComputers, membership, specialGroupNodes, unsignedComputers],
  },
  changedEnds(context) {
    const { origin } = context;
    const { changedGroups, changedMembers } = context.use(membership);
    if (origin === undefined || changedGroups === undefined || changedMembers === undefined) return undefined;
    if (!origin.isSame(TARGET_READS)) return undefined;
    const [now, before] = [context, origin.context].map((one) => ({
      coercible: one.use(coercibleComputers),
      members: one.use(membership),
    }));
    if (!now.coercible.equals(before.coercible)) return undefined;
    if (!changedMembers.intersects(now.coercible)) return context.emptySet();
    const ends: number[] = [];
    const adminTo = context.edges('AdminTo');
    changedGroups.and(context.nodesOf('Group')).forEach((group) => {
      if (!adminTo.isStart(group)) return;
      const [victims, victimsBefore] = [now, before].map(({ coercible, members }) =>
        members.membersOf(group).and(coercible),
      );
      if (!victims.equals(victimsBefore)) adminTo.outOf(group, (computer) => ends.push(computer));
    });
    return NodeSet.of(context.graph.nodeCount, ends);
  },
  derive: (context, edges, among) => {
    for (const { source, computer } of relays(context, among))
      edges.add('CoerceAndRelayNTLMToSMB', source, computer);
  },
  *ways(context) {
    const coercible = context.use(coercibleComputers);
    for (const { source, computer } of relays(context)) {
      yield {
        ...{ kind: 'CoerceAndRelayNTLMToSMB', starts: [source], ends: [computer] },
        needs: [{ setting: 'computer-smb-signing', node: computer }],
        someone: {
          ...{ nodes: coercible, except: computer },
          right: { kinds: ['AdminTo'], node: computer, everybody: 'no', among: context.nodesOf('Base') },
        },
      };
    }
  },
  compose: (context, { end }) => {
    const builder = new CompositionBuilder();
    const victims = victimsOf(context, end);
    context.edges('AdminTo').into(end, (administrator, kind) => {
      const reached = context
        .use(membership)
        .expand(NodeSet.of(context.graph.nodeCount, [administrator]))
        .and(victims);
      if (reached.isEmpty) return;
      builder.addEdge(administrator, kind, end);
      reached.forEach((victim) => {
        if (victim !== administrator) explainMembership(context, builder, victim, administrator);
      });
    });
    return builder.build();
  },
  relayTargets: (context, { end }: EdgeRef) => victimsOf(context, end).toArray(),
};

/** Computers that accept relayed authentication, each once, with the group of principals that can start it. */
function* relays(
  context: AnalysisContext,
  among?: NodeSet,
): Generator<{ readonly source: number; readonly computer: number }> {
  const all = context.use(unsignedComputers);
  const targets = among === undefined ? all : all.and(among);
  if (targets.isEmpty) return;
  const coercible = context.use(coercibleComputers);
  const coercibleIn = new TwoMembers(context, coercible);
  const groups = context.nodesOf('Group');
  const accounts = context.nodesOf('Base');
  const adminTo = context.edges('AdminTo');
  for (const computer of targets) {
    const source = context
      .use(specialGroupNodes)
      .authenticatedUsersOf(context.properties.text('domainsid', computer));
    if (source === NO_NODE) continue;
    let isTaken = false;
    adminTo.into(computer, (administrator) => {
      if (isTaken || !accounts.has(administrator)) return;
      isTaken = groups.has(administrator)
        ? coercibleIn.hasOtherThan(administrator, computer)
        : administrator !== computer && coercible.has(administrator);
    });
    if (isTaken) yield { source, computer };
  }
}

/** Coercible computers other than the target that administer it, directly or through groups. */
function victimsOf(context: AnalysisContext, target: number): NodeSet {
  const administrators = context.edges('AdminTo').startsOf(target).and(context.nodesOf('Base'));
  const groups = administrators.and(context.nodesOf('Group'));
  const others = administrators.andNot(groups);
  // A group represents its members; the group itself cannot be coerced.
  return context
    .use(membership)
    .expand(groups)
    .or(others)
    .and(context.use(coercibleComputers))
    .without(target);
}
