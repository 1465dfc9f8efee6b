/**
 * Repairs for relationships of other platforms, with the change and cost that their definitions describe.
 *
 * Rule: `docs/extensions.md#repairs`.
 */
import type { AttackGraph, DeclaredRepair } from '@clew/graph';
import { EdgeFlag } from '@clew/model';

/** @returns undefined if no definition describes a repair for the kind */
export function declaredRepair(
  { declared }: Pick<AttackGraph, 'declared'>,
  kind: number,
): DeclaredRepair | undefined {
  return declared.repairs.find((repair) => repair.kind === kind);
}

/**
 * Whether a definition derives the edge without describing its removal: the edge ends with the facts from which it is derived,
 * and cannot be removed separately.
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
