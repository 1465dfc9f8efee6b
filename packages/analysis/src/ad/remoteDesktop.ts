/**
 * CanRDP: membership in Remote Desktop Users and the right to log on through Remote Desktop Services.
 *
 * Rule: `docs/rules.md#adminto`. Reading user rights requires an administrator, so they are often unknown; then the Windows default
 * applies, and membership alone makes the edge. On Citrix hosts the group Direct Access Users restricts access further (feature
 * `citrix_rdp_support`).
 */
import { encodeText, NodeSet, textStartsWith } from '@clew/graph';
import { EdgeKind } from '@clew/model';
import type { AnalysisContext } from '../analysisContext.ts';
import { CompositionBuilder } from '../composition.ts';
import { commonMembers } from '../directory/commonMembers.ts';
import { explainHeldRight, explainMembership } from '../directory/heldRights.ts';
import { membership } from '../directory/membership.ts';
import { principalSets } from '../directory/principalSets.ts';
import type { Rule } from '../rule.ts';
import type { HeldRight } from '../ways.ts';
import { LocalGroup, localGroups } from './localGroups.ts';

const DIRECT_ACCESS_USERS = encodeText('DIRECT ACCESS USERS');

export const canRdp: Rule = {
  name: 'CanRDP',
  produces: ['CanRDP'],
  reads: {
    edges: ['MemberOf', 'MemberOfLocalGroup', 'LocalToComputer', 'RemoteInteractiveLogonRight'],
    nodeProperties: ['hasura'],
    shared: [localGroups, membership, commonMembers, principalSets],
  },
  changedEnds(context) {
    const { origin } = context;
    const changed = context.use(membership).changedGroups;
    const rights = origin?.differences?.(['RemoteInteractiveLogonRight']);
    if (changed === undefined || rights === undefined) return undefined;
    if (origin?.isSame({ edges: ['LocalToComputer'], nodeProperties: ['hasura'] }) !== true) return undefined;
    // Every group that affects the principals of a computer is a local group of it, holds the right there, or is a member of one of these.
    const ends = rights.map(({ end }) => end);
    const leading = context.edges('LocalToComputer', 'RemoteInteractiveLogonRight');
    changed.forEach((group) => {
      leading.outOf(group, (computer) => ends.push(computer));
    });
    return NodeSet.of(context.graph.nodeCount, ends);
  },
  derive: (context, edges, among) => {
    const groups = context.use(localGroups).bySuffix(LocalGroup.remoteDesktopUsers);
    for (const [computer, group] of groups) {
      if (among?.has(computer) === false) continue;
      edges.addProduct('CanRDP', principalsOf(context, computer, group), [computer]);
      context.throwIfCanceled();
    }
  },
  *ways(context) {
    for (const [computer, group] of context.use(localGroups).bySuffix(LocalGroup.remoteDesktopUsers)) {
      const starts = principalsOf(context, computer, group);
      if (starts.isEmpty) continue;
      const directAccess = directAccessGroup(context, computer);
      const everybody = directAccess === undefined ? 'no' : 'nested';
      const memberOf = (node: number): HeldRight => ({
        ...{ kinds: ['MemberOf', 'MemberOfLocalGroup'], node, everybody },
      });
      const logon = { kinds: ['RemoteInteractiveLogonRight'], node: computer, everybody } as const;
      yield {
        ...{ kind: 'CanRDP', starts, ends: [computer], needs: [] },
        rights: [
          memberOf(group),
          ...(directAccess === undefined ? [] : [memberOf(directAccess)]),
          ...(hasKnownRights(context, computer) ? [logon] : []),
        ],
      };
    }
  },
  compose: (context, { start, end }) => {
    const builder = new CompositionBuilder();
    const group = context.use(localGroups).bySuffix(LocalGroup.remoteDesktopUsers).get(end);
    if (group === undefined || !principalsOf(context, end, group).has(start)) return builder.build();
    explainMembership(context, builder, start, group);
    builder.addEdge(group, EdgeKind.LocalToComputer, end);
    explainHeldRight(context, builder, start, 'RemoteInteractiveLogonRight', end);
    return builder.build();
  },
};

function principalsOf(context: AnalysisContext, computer: number, group: number): NodeSet {
  const allowed = context.edges('RemoteInteractiveLogonRight').startsOf(computer);
  const direct = context.edges('MemberOfLocalGroup').startsOf(group);
  const isKnown = hasKnownRights(context, computer);
  const directAccess = directAccessGroup(context, computer);
  if (directAccess !== undefined) {
    const sets = context.use(principalSets);
    const rights = [group, directAccess].map((node) => sets.of(NodeSet.of(direct.capacity, [node])));
    const mode = context.options.rules === 'parity' ? 'toggling' : 'outer';
    return sets.cover(isKnown ? [...rights, sets.of(allowed)] : rights, mode);
  }
  return !isKnown || allowed.has(group) ? direct : membersAllowed(context, group, allowed);
}

/** If user rights were not collected, the Windows default applies: Remote Desktop Users may log on. */
const hasKnownRights = (context: AnalysisContext, computer: number): boolean =>
  context.properties.flag('hasura', computer) === true;

const directAccessGroup = (context: AnalysisContext, computer: number): number | undefined =>
  context.options.features.has('citrix_rdp_support') ? directAccessUsers(context, computer) : undefined;

/**
 * Direct and indirect members of the group that hold the right, directly or through a holder. Local groups of thousands of computers
 * contain the same few groups, so common members are memoized per pair of groups.
 */
function membersAllowed(context: AnalysisContext, group: number, allowed: NodeSet): NodeSet {
  const common = context.use(commonMembers);
  const direct = directMembers(context, group);
  const isMember = (node: number): boolean => direct.some((one) => common.holds(one, node));
  const found: NodeSet[] = [allowed.filter(isMember)];
  allowed.forEach((holder) => {
    if (!context.use(membership).groups.has(holder) || isMember(holder)) return;
    const isLocal = context.nodesOf('ADLocalGroup').has(holder);
    for (const one of isLocal ? directMembers(context, holder) : [holder])
      for (const other of direct) found.push(common.of(one, other));
  });
  return NodeSet.union(context.graph.nodeCount, found).without(group);
}

function directMembers(context: AnalysisContext, group: number): number[] {
  const members: number[] = [];
  context.edges('MemberOf', 'MemberOfLocalGroup').into(group, (member) => {
    if (member !== group) members.push(member);
  });
  return members;
}

function directAccessUsers(context: AnalysisContext, computer: number): number | undefined {
  let found: number | undefined;
  const localGroup = context.nodesOf('ADLocalGroup');
  context.edges('LocalToComputer').into(computer, (node) => {
    if (found !== undefined || !localGroup.has(node)) return;
    if (textStartsWith(context.graph.names, node, DIRECT_ACCESS_USERS)) found = node;
  });
  return found;
}
