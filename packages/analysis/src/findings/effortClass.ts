/** The effort of a finding's step for an attacker, as its severity uses it: the class of its kind, whatever its ends. */
import { CUSTOM_KIND_EFFORT, type EffortTable } from '@clew/model';

/** 1 one action, or held already; 2 several; 4 a condition must hold; 8 luck. */
export type EffortClass = 1 | 2 | 4 | 8;

/** @param efforts without those that were configured otherwise */
export function effortClass(efforts: EffortTable, edgeKind: number): EffortClass {
  const { effort } = efforts.get(edgeKind) ?? CUSTOM_KIND_EFFORT;
  return effort === 0 ? 1 : effort;
}
