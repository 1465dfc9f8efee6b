/**
 * Explains how a principal holds a right: the edge that grants it, and the memberships that lead to its holder.
 */
import { NodeSet } from '@clew/graph';
import type { EdgeKindName } from '@clew/model';
import type { AnalysisContext, Reads } from '../analysisContext.ts';
import type { CompositionBuilder } from '../composition.ts';
import { membership } from './membership.ts';
import { specialGroups } from './specialGroups.ts';

/** Inputs of these explanations, in addition to the right itself. Explanations run after all edges are derived. */
export const HELD_RIGHT_READS: Reads = {
  edges: ['MemberOf', 'MemberOfLocalGroup'],
  shared: [membership, specialGroups],
};

/** Adds every edge of the kind to `target` whose holder is the principal, contains it, or contains everybody. */
export function explainHeldRight(
  context: AnalysisContext,
  builder: CompositionBuilder,
  principal: number,
  kind: EdgeKindName,
  target: number,
): void {
  const own = context.readingFor('held rights', HELD_RIGHT_READS);
  const containers = own.use(membership).containersOf([principal]);
  const { universal } = own.use(specialGroups);
  context.edges(kind).into(target, (holder, kindNumber) => {
    const isHeld = containers.has(holder);
    if (!isHeld && !universal.has(holder)) return;
    builder.addEdge(holder, kindNumber, target);
    if (isHeld) explainMembership(context, builder, principal, holder);
  });
}

/** Adds all memberships on paths from the member to the group. */
export function explainMembership(
  context: AnalysisContext,
  builder: CompositionBuilder,
  member: number,
  group: number,
): void {
  const own = context.readingFor('held rights', HELD_RIGHT_READS);
  const members = own.use(membership);
  const below = members.expand(NodeSet.of(context.graph.nodeCount, [group]));
  const between = members.containersOf([member]).and(below);
  const edges = own.edges('MemberOf', 'MemberOfLocalGroup');
  between.forEach((node) => {
    edges.outOf(node, (container, kind) => {
      if (between.has(container)) builder.addEdge(node, kind, container);
    });
  });
}
