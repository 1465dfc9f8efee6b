/**
 * CoerceAndRelayNTLMToSMB: a computer that does not demand SMB signing, and on which another computer that can be
 * coerced is a local administrator. The edge points at the relay target.
 *
 * Rule: `docs/rules.md#coerceandrelayntlmtosmb`. The public product lists coercion targets of the same domain only
 * although the edge is made across domains; here the lists show whatever the edge was made from.
 */
import { NO_NODE, NodeSet } from '@clew/graph';
import type { AnalysisContext } from '../analysisContext.ts';
import { CompositionBuilder } from '../composition.ts';
import { explainMembership } from '../directory/heldRights.ts';
import { membership } from '../directory/membership.ts';
import { specialGroups } from '../directory/specialGroups.ts';
import { TwoMembers } from '../directory/twoMembers.ts';
import type { EdgeRef } from '../edgeRef.ts';
import type { Rule } from '../rule.ts';
import { coercibleComputers } from './coercibleComputers.ts';

export const relayToSmb: Rule = {
  name: 'CoerceAndRelayNTLMToSMB',
  produces: ['CoerceAndRelayNTLMToSMB'],
  feature: 'ntlm_post_processing',
  reads: {
    edges: ['AdminTo', 'MemberOf', 'MemberOfLocalGroup'],
    nodeProperties: ['domainsid', 'smbsigning'],
    shared: [coercibleComputers, membership, specialGroups],
  },
  derive: (context, edges) => {
    for (const { source, computer } of relays(context))
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

/** Computers that accept relayed authentication, once each, with the group of principals that can start it. */
function* relays(
  context: AnalysisContext,
): Generator<{ readonly source: number; readonly computer: number }> {
  const targets = context.nodesOf('Computer').and(context.properties.nodesWhere('smbsigning', false));
  const coercible = context.use(coercibleComputers);
  const coercibleIn = new TwoMembers(context, coercible);
  const groups = context.nodesOf('Group');
  const accounts = context.nodesOf('Base');
  const adminTo = context.edges('AdminTo');
  for (const computer of targets) {
    const source = context
      .use(specialGroups)
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

/** Computers other than the target that can be coerced and administer it, directly or through groups. */
function victimsOf(context: AnalysisContext, target: number): NodeSet {
  const administrators = context.edges('AdminTo').startsOf(target).and(context.nodesOf('Base'));
  const groups = administrators.and(context.nodesOf('Group'));
  const others = administrators.andNot(groups);
  // A group represents its members; the group itself cannot be coerced anyway.
  return context
    .use(membership)
    .expand(groups)
    .or(others)
    .and(context.use(coercibleComputers))
    .without(target);
}
