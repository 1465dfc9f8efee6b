/**
 * The attacker's effort for the step of a finding, used for its severity: the effort of its kind, adjusted by known facts about its ends.
 */
/** 1: one action, or already held; 2: several actions; 4: a condition must hold; 8: luck. */
export type EffortClass = 1 | 2 | 4 | 8;

/** @returns the smallest class that covers the effort */
export const classOfEffort = (effort: number): EffortClass =>
  effort <= 1 ? 1 : effort <= 2 ? 2 : effort <= 4 ? 4 : 8;
