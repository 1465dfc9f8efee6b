/**
 * Selects the edges that are steps of attack paths: built-in kinds, and kinds declared by the data. A trust across forests is not a step
 * itself: the edges for the control that it allows are.
 *
 * Rule: `docs/findings.md#coverage`; `@clew/model` lists the built-in kinds.
 */
import { type AttackGraph, type EdgeFilter, edgesOfKind, getOrMake } from '@clew/graph';
import { EDGE_KINDS } from '@clew/model';

const BUILT_IN: readonly number[] = EDGE_KINDS.filter(({ traversable }) => traversable).map(({ id }) => id);

export function attackSteps({ declared }: Pick<AttackGraph, 'declared'>): EdgeFilter {
  return edgesOfKind(...BUILT_IN, ...declared.steps.map(({ kind }) => kind));
}

const KNOWN = new WeakMap<AttackGraph['declared'], ReadonlySet<number>>();

/** @returns whether edges of the kind are steps of attack paths */
export function isAttackStep({ declared }: Pick<AttackGraph, 'declared'>, kind: number): boolean {
  const known = getOrMake(
    KNOWN,
    declared,
    () => new Set([...BUILT_IN, ...declared.steps.map((step) => step.kind)]),
  );
  return known.has(kind);
}
