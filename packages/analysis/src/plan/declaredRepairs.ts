/**
 * How relationships of other platforms are removed, as their definitions say: what is changed, and what it costs.
 *
 * Rule: `docs/extensions.md#repairs`.
 */
import type { AttackGraph, DeclaredRepair } from '@clew/graph';

/** @returns nothing for a kind of which no definition says it */
export function declaredRepair(
  { declared }: Pick<AttackGraph, 'declared'>,
  kind: number,
): DeclaredRepair | undefined {
  return declared.repairs.find((repair) => repair.kind === kind);
}
