/**
 * How relationships of other platforms are removed, as their definitions say: what is changed, and what it costs.
 *
 * Rule: `docs/extensions.md#repairs`.
 */
import type { AttackGraph, DeclaredRepair } from '@clew/graph';
import { EdgeFlag } from '@clew/model';

/** @returns nothing for a kind of which no definition says it */
export function declaredRepair(
  { declared }: Pick<AttackGraph, 'declared'>,
  kind: number,
): DeclaredRepair | undefined {
  return declared.repairs.find((repair) => repair.kind === kind);
}

/**
 * Whether a definition derives the edge and says nothing of how to take it away: then it is gone when what it follows from is, and
 * nothing is to be removed at it.
 */
export function isDerivedByDefinition(
  graph: Pick<AttackGraph, 'declared'>,
  kind: number,
  flags: number,
): boolean {
  const isDerived =
    (flags & EdgeFlag.Derived) !== 0 && graph.declared.derivations.some((one) => one.kind === kind);
  return isDerived && declaredRepair(graph, kind) === undefined;
}
