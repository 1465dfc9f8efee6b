/**
 * Repairs for relationships of other platforms, as their definitions describe them: the change, and its cost.
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
 * Whether a definition derives the edge and does not describe its removal: then it disappears with the facts that it follows from, and
 * nothing can be removed at the edge itself.
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
