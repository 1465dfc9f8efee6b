/** Facts that plans read in addition to the graph. */

import {
  type EdgePropertyReads,
  EVERYBODY_READS,
  edgePropertyReads,
  findingEdgeProperties,
  findingProperties,
  requiredEdgeProperties,
  requiredProperties,
} from '@clew/analysis';
import { ASSIGNMENT_SCOPE_READS, KIT_READS, POLICY_MEMBER_READS, PRICE_READS } from '@clew/planning';
import { LAST_WRITES } from './lastWrites.ts';

/** Keys of node properties. */
export const PLAN_PROPERTIES: readonly string[] = [
  ...new Set([
    ...[...requiredProperties(), ...findingProperties(), ...(PRICE_READS.nodeProperties ?? [])],
    ...(KIT_READS.nodeProperties ?? []),
    LAST_WRITES,
  ]),
];

const EDGE_READS = [
  requiredEdgeProperties(),
  findingEdgeProperties(),
  edgePropertyReads(EVERYBODY_READS, POLICY_MEMBER_READS, ASSIGNMENT_SCOPE_READS),
];

export const PLAN_EDGE_PROPERTIES: EdgePropertyReads = {
  keys: [...new Set(EDGE_READS.flatMap(({ keys }) => keys))],
  kinds: new Set(EDGE_READS.flatMap(({ kinds }) => [...kinds])),
};
