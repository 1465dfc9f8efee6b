/** Computers in use, which a collector could have scanned. */
import type { NodeSet } from '@clew/graph';
import type { FindingFacts } from './findingFacts.ts';

/** A computer that logged on within this number of days is active. */
export const ACTIVE_DAYS = 14;

/** @returns enabled computers with a recent logon */
export function activeComputers(facts: FindingFacts): NodeSet {
  return facts.enabled(facts.computers).filter((node) => facts.usedWithin(node, ACTIVE_DAYS));
}
