/** The condition of a list finding: which objects have the setting. */
import type { NodeSet } from '@clew/graph';
import type { Reads } from '../../analysisContext.ts';
import type { FindingFacts } from '../findingFacts.ts';

export interface Condition {
  readonly find: (facts: FindingFacts) => NodeSet;
  /**
   * Property that shows that the collector looked, where those the type needs are absent on most objects anyway.
   * By default the needed ones show it themselves.
   */
  readonly seenBy?: string;
}

/** Conditions of related types by id, and what they read beyond `FACTS_READS`. */
export interface ConditionGroup {
  readonly reads: Reads;
  readonly conditions: Readonly<Record<string, Condition>>;
}
