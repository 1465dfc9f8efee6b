/** Compares the first card with the optimum of a linear program, on random directories and on random kernels with more packages. */

import { LabeledStepsBuilder } from '@clew/graph';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { CardProgram } from '../../test/linearProgram.ts';
import { randomDirectories, randomWorld } from '../../test/randomDirectories.ts';
import { rankedZone } from '../simulation/simulate.ts';
import { finish } from '../steps.ts';
import { Candidates } from './candidates.ts';
import { LowerBound } from './planBound.ts';
import { PlanSearch } from './planSearch.ts';
import { SteepestSearch } from './steepestCard.ts';

let program: CardProgram;
beforeAll(async () => {
  program = await CardProgram.load();
});

const steepnessOf = (exposed: number, { left, cost }: { left: number; cost: number }): number =>
  (exposed - left) / cost;

/** @returns whether any package keeps a principal out */
function expectSteepest(candidates: Candidates): boolean {
  const [exposed] = candidates.weigh([[]]) as [number];
  const best = program.steepest(candidates);
  const found = new SteepestSearch(candidates).find({ taken: new Set() });
  if (best === undefined) {
    expect(found).toBeUndefined();
    return false;
  }
  if (found === undefined) throw new Error(`there is a card: ${best.labels}`);
  expect(steepnessOf(exposed, found)).toBeCloseTo(steepnessOf(exposed, best), 6);
  // No set with so low an exposure costs less than the bound.
  const price = found.cost / (exposed - found.left);
  const bound = new LowerBound(candidates, { prices: [price] }).costOf(found.left);
  expect(bound).toBeLessThanOrEqual(found.cost + 1e-6);
  expect(program.cheapest(candidates, price).objective).toBeGreaterThanOrEqual(
    bound + price * (found.left - candidates.alwaysExposed) - 1e-6,
  );
  return true;
}

const [NODES, LABELS] = [30, 24];
const kernels = fc.record({
  steps: fc.array(
    fc.tuple(fc.nat(NODES - 1), fc.nat(NODES - 1), fc.uniqueArray(fc.nat(LABELS - 1), { maxLength: 2 })),
    {
      minLength: 40,
      maxLength: 110,
      size: 'max',
    },
  ),
  weights: fc.array(fc.nat(20), { minLength: NODES, maxLength: NODES }),
  costs: fc.array(fc.integer({ min: 2, max: 8 }), { minLength: LABELS, maxLength: LABELS }),
});

describe('the first card', () => {
  it('of a random directory is the optimum of the linear program', { timeout: 60_000 }, () => {
    let tried = 0;
    fc.assert(
      fc.property(randomDirectories, (spec) => {
        const world = randomWorld(spec);
        const ranked = rankedZone(world, 1);
        if (ranked === undefined) throw new Error('the zone is there');
        if (expectSteepest(finish(PlanSearch.of(world, ranked, { zone: 1 }, 'all')).all)) tried++;
      }),
      { numRuns: 40 },
    );
    expect(tried).toBeGreaterThan(20);
  });

  it('of a random kernel is the optimum of the linear program', { timeout: 60_000 }, () => {
    let tried = 0;
    fc.assert(
      fc.property(kernels, ({ steps, weights, costs }) => {
        const builder = new LabeledStepsBuilder(NODES);
        for (const [start, end, labels] of steps)
          builder.add(
            start,
            end,
            labels.toSorted((a, b) => a - b),
          );
        const candidates = Candidates.of({
          ...{ steps: builder.build(LABELS, undefined), targets: [[0]] },
          groups: [{ realm: 0, weights: Uint32Array.from(weights) }],
          packages: costs.map((cost, at) => ({
            ...{ key: `${at}`, kind: 'remove-member', subjects: [], repairs: [at], cost: cost / 2 },
            ...{ isAtomic: true, isWide: false, isKept: false, root: 0 },
          })),
        });
        if (expectSteepest(candidates)) tried++;
      }),
      { numRuns: 60 },
    );
    expect(tried).toBeGreaterThan(20);
    // With few exceptions, the programs of plans have integral solutions.
    expect(program.fractional).toBeLessThan(program.solved / 4);
  });
});
