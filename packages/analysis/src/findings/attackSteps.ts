/**
 * Selects the edges that take part in attack paths: those of built-in kinds, and those of kinds that the data declares. A trust across
 * forests is not a step by itself: the risk is in the edges for the control that it lets through.
 *
 * Rule: `docs/findings.md#coverage`; `@clew/model` says which of the built-in kinds these are.
 */
import { type AttackGraph, type EdgeFilter, edgesOfKind, getOrMake } from '@clew/graph';
import { EDGE_KINDS } from '@clew/model';

const BUILT_IN: readonly number[] = EDGE_KINDS.filter(({ traversable }) => traversable).map(({ id }) => id);

export function attackSteps({ declared }: Pick<AttackGraph, 'declared'>): EdgeFilter {
  return edgesOfKind(...BUILT_IN, ...declared.steps.map(({ kind }) => kind));
}

const KNOWN = new WeakMap<AttackGraph['declared'], ReadonlySet<number>>();

/** @returns whether edges of the kind take part in attack paths */
export function isAttackStep({ declared }: Pick<AttackGraph, 'declared'>, kind: number): boolean {
  const known = getOrMake(
    KNOWN,
    declared,
    () => new Set([...BUILT_IN, ...declared.steps.map((step) => step.kind)]),
  );
  return known.has(kind);
}
