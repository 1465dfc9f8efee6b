import { edgeKindById } from '@clew/model';
import { expect, it } from 'vitest';
import { requiredEdgeProperties } from '../analyze.ts';
import { EVERYBODY_READS } from '../directory/everybody.ts';
import { findingEdgeProperties } from '../findings/findFindings.ts';
import { edgePropertyReads } from '../ruleOrder.ts';
import { RULES } from '../rules.ts';
import { POLICY_MEMBER_READS } from './policyMembers.ts';

// Facts of a plan are read before the derived edges of its generation are in the store.
it('reads no properties of edges that rules derive', () => {
  const derived = new Set<string>(RULES.flatMap(({ produces }) => produces));
  const reads = [
    requiredEdgeProperties(),
    findingEdgeProperties(),
    edgePropertyReads(EVERYBODY_READS, POLICY_MEMBER_READS),
  ];
  const kinds = reads.flatMap((each) => [...each.kinds]).map((kind) => edgeKindById(kind)?.name ?? '');
  expect(kinds.length).toBeGreaterThan(3);
  expect(kinds.filter((kind) => derived.has(kind))).toEqual([]);
});
