/** Questions that several findings of this folder ask. */
import { NodeSet, reachableNodes } from '@clew/graph';
import type { FindingFacts } from '../../../findingFacts.ts';

export function directMembers(facts: FindingFacts, group: number): NodeSet {
  return facts.edges('MemberOf').startsOf(group).without(group);
}

export function notEmpty(facts: FindingFacts, groups: NodeSet): NodeSet {
  return groups.filter((group) => !directMembers(facts, group).isEmpty);
}

export function membersAtAnyDepth(facts: FindingFacts, group: number): NodeSet {
  const { graph, cancel } = facts.context;
  const { filter } = facts.edges('MemberOf');
  return reachableNodes(graph, [group], { direction: 'in', filter, cancel }).without(group);
}

export function accountsWithHistory(facts: FindingFacts, test: (sid: string) => boolean): NodeSet {
  const isHistory = (value: unknown): boolean => typeof value === 'string' && value !== '' && test(value);
  return facts
    .where('sidhistory', (value) => (Array.isArray(value) ? value.some(isHistory) : isHistory(value)))
    .and(facts.users.or(facts.computers).or(facts.groups));
}

export const serversOfSynchronization = (facts: FindingFacts): NodeSet =>
  NodeSet.of(
    facts.context.graph.nodeCount,
    [...facts.synchronizationServers().keys()].sort((a, b) => a - b),
  );
