/** Tests that the facts of a generation contain everything that a plan reads, because a plan begins while the generation is being built. */
import { edgePropertyReads } from '@clew/analysis';
import { ASSIGNMENT_SCOPE_READS, PRICE_READS } from '@clew/planning';
import { PLAN_PROPERTIES } from '@clew/plans';
import { expect, it } from 'vitest';
import { createAnalysis } from './analysis.ts';

it.each(['clean', 'parity'] as const)('%s loads the data of plans and their prices', (mode) => {
  const { nodeProperties, edgeProperties } = createAnalysis({ mode }).reads;
  const loaded = new Set(nodeProperties);
  const { keys, kinds } = edgePropertyReads(ASSIGNMENT_SCOPE_READS);
  expect(keys.filter((key) => edgeProperties?.keys.includes(key) !== true)).toEqual([]);
  expect([...kinds].filter((kind) => edgeProperties?.kinds.has(kind) !== true)).toEqual([]);
  expect(PLAN_PROPERTIES.filter((key) => !loaded.has(key))).toEqual([]);
  expect(PRICE_READS.nodeProperties?.filter((key) => !PLAN_PROPERTIES.includes(key))).toEqual([]);
});
