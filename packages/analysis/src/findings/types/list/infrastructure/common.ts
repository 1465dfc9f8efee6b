/** Helpers shared by several findings of this folder. */
import type { NodeSet } from '@clew/graph';
import type { FindingFacts } from '../../../findingFacts.ts';
import { isObsolete } from './obsoleteSystems.ts';

/** The value that collectors write for a missing registry value. */
export const NO_VALUE = -1;

export function obsoleteComputers(facts: FindingFacts): NodeSet {
  return facts
    .enabled(facts.computers)
    .filter(
      (node) => isObsolete(facts.text('operatingsystem', node).toUpperCase()) && facts.usedWithin(node, 60),
    );
}

export function withoutSigning(facts: FindingFacts): NodeSet {
  return facts.computers.and(facts.is('smbsigning', false)).andNot(facts.is('enabled', false));
}
