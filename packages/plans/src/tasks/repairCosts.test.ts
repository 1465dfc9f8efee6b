import { type Repair, remainingPaths } from '@clew/planning';
import { randomDirectories, randomWorld } from '@clew/planning/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PlanState } from './planState.ts';
import { repairCosts } from './repairCosts.ts';

it('computes the price of a repair once', () => {
  const [directory] = fc.sample(randomDirectories, { numRuns: 1, seed: 7 });
  const world = randomWorld({ ...directory!, facts: ['u1 GenericAll DA'] });
  const repairs: Repair[] = [];
  remainingPaths(world, 1, {
    ...{ count: 1, isExcluded: () => false, kept: [world], detailsOf: () => undefined },
    costOf: (one) => repairs.push(one),
  });
  const [repair] = repairs;
  let reads = 0;
  const watched = new Proxy(repair!, {
    get(target, key) {
      reads++;
      return Reflect.get(target, key);
    },
  });
  const costOf = repairCosts({ world, costs: {} } as PlanState, 1, []);
  const cost = costOf(watched);
  expect(cost).toBeGreaterThan(0);
  const first = reads;
  expect(first).toBeGreaterThan(0);
  for (let time = 0; time < 100; time++) expect(costOf(watched)).toBe(cost);
  expect(reads).toBe(first);
});
