import {
  EVERYBODY_READS,
  edgePropertyReads,
  findingEdgeProperties,
  RULES,
  requiredEdgeProperties,
} from '@clew/analysis';
import { edgeKindById } from '@clew/model';
import { expect, it } from 'vitest';
import { POLICY_MEMBER_READS } from './repairs/policyMembers.ts';

// The facts of a plan are read before the derived edges of its generation are in the store.
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
