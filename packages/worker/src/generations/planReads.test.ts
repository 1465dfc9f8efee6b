/** A plan is begun with the facts of the generation that is being built, so that these have all that a plan reads. */
import { PRICE_READS } from '@clew/planning';
import { PLAN_PROPERTIES } from '@clew/plans';
import { expect, it } from 'vitest';
import { createAnalysis } from './analysis.ts';

it.each(['clean', 'parity'] as const)('%s loads what plans and their prices read', (mode) => {
  const loaded = new Set(createAnalysis({ mode }).reads.nodeProperties);
  expect(PLAN_PROPERTIES.filter((key) => !loaded.has(key))).toEqual([]);
  expect(PRICE_READS.nodeProperties?.filter((key) => !PLAN_PROPERTIES.includes(key))).toEqual([]);
});
