/** Names and numbers of relation kinds: built-in kinds, and kinds declared by the data. */
import type { AttackGraph, DeclaredKinds } from '@clew/graph';
import { edgeKindById, edgeKindByName } from '@clew/model';

type Declaring = Pick<AttackGraph, 'declared'>;

/** @returns undefined for an undeclared kind */
export function edgeNameOf({ declared }: Declaring, kind: number): string | undefined {
  return edgeKindById(kind)?.name ?? declaredNames(declared).find((one) => one.kind === kind)?.name;
}

/** @returns undefined for an undeclared name */
export function edgeNumberOf({ declared }: Declaring, name: string): number | undefined {
  return edgeKindByName(name)?.id ?? declaredNames(declared).find((one) => one.name === name)?.kind;
}

/** Names of attack path steps, of the inputs of derivations, and of the relationships whose removal repairs findings of checks. */
function declaredNames({
  steps,
  checks,
  derivations,
}: DeclaredKinds): readonly { kind: number; name: string }[] {
  const removed = checks.flatMap(({ repairedBy }) =>
    (repairedBy?.kinds ?? []).map((kind, at) => ({ kind, name: repairedBy?.names[at] ?? '' })),
  );
  const read = derivations.flatMap(({ reads }) => reads);
  return removed.length + read.length === 0 ? steps : [...steps, ...removed, ...read];
}
