/** The effort of a finding's step for an attacker, as its severity uses it: that of its kind, changed by known facts about its ends. */
/** 1 one action, or held already; 2 several; 4 a condition must hold; 8 luck. */
export type EffortClass = 1 | 2 | 4 | 8;

/** @returns the least class that is not below the effort */
export const classOfEffort = (effort: number): EffortClass =>
  effort <= 1 ? 1 : effort <= 2 ? 2 : effort <= 4 ? 4 : 8;
