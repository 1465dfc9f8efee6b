/** Computers in use: those a collector could have scanned. */
import type { NodeSet } from '@clew/graph';
import type { FindingFacts } from './findingFacts.ts';

/** Days within which a computer logged on that counts as active. */
export const ACTIVE_DAYS = 14;

/** @returns enabled computers that logged on lately. */
export function activeComputers(facts: FindingFacts): NodeSet {
  return facts.enabled(facts.computers).filter((node) => facts.usedWithin(node, ACTIVE_DAYS));
}
