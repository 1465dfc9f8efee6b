/** What the step of a finding takes an attacker, as its severity asks it: the class of its kind, whatever its ends. */
import { ATTACK_EFFORTS, CUSTOM_KIND_EFFORT, edgeKindById, type TraversableKindName } from '@clew/model';

/** 1 one action, or held already; 2 several; 4 a condition must hold; 8 luck. */
export type EffortClass = 1 | 2 | 4 | 8;

export function effortClass(edgeKind: number): EffortClass {
  const name = edgeKindById(edgeKind)?.name as TraversableKindName | undefined;
  const { effort } = (name !== undefined && ATTACK_EFFORTS.get(name)) || CUSTOM_KIND_EFFORT;
  return effort === 0 ? 1 : effort;
}
