/** Helpers shared by several findings of this folder. */
import { NodeSet } from '@clew/graph';
import type { NodeKindName } from '@clew/model';
import type { FindingFacts } from '../../../findingFacts.ts';

export function withPrivilegedIdentity(facts: FindingFacts, ...kinds: readonly NodeKindName[]): NodeSet {
  const privileged = facts.of('AZServicePrincipal').and(facts.tierZero);
  const resources = NodeSet.union(
    facts.context.graph.nodeCount,
    kinds.map((kind) => facts.of(kind)),
  );
  return facts.edges('AZManagedIdentity').startsOfAny(privileged).and(resources);
}
