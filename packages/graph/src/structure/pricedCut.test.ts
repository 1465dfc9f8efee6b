import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contractSteps } from './contractSteps.ts';
import { joinKernels, TARGETS } from './cutNetwork.ts';
import { LabeledStepsBuilder } from './labeledStepsBuilder.ts';
import { PricedCut } from './pricedCut.ts';

const NODES = 9;
const LABELS = 6;
const node = fc.nat(NODES - 1);

const worlds = fc.record({
  steps: fc.array(
    fc.record({
      start: node,
      end: node,
      labels: fc.uniqueArray(fc.nat(LABELS - 1), { maxLength: 2 }).map((all) => all.sort((a, b) => a - b)),
    }),
    { maxLength: 30, size: 'max' },
  ),
  weights: fc.array(fc.nat(3), { minLength: NODES, maxLength: NODES }),
  costs: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: LABELS, maxLength: LABELS }),
  price: fc.integer({ min: 1, max: 30 }).map((tenths) => tenths / 10),
  taken: fc.uniqueArray(fc.nat(LABELS - 1), { maxLength: 1 }),
});

const allChoices = Array.from({ length: 2 ** LABELS }, (_, bits) =>
  Array.from({ length: LABELS }, (__, label) => label).filter((label) => (bits >> label) & 1),
);

type World = typeof worlds extends fc.Arbitrary<infer Of> ? Of : never;

function cutOf({ steps: all, weights: given, costs }: World) {
  const builder = new LabeledStepsBuilder(NODES);
  for (const { start, end, labels } of all) builder.add(start, end, labels);
  const steps = builder.build(LABELS, undefined);
  const map = { places: Uint32Array.from(steps.sets.keys()), sets: steps.sets };
  const weights = Uint32Array.from(given);
  const network = joinKernels([contractSteps(steps, map, { targets: [0], weights })], steps.sets, LABELS);
  return { network, cut: new PricedCut(network, Float64Array.from(costs)) };
}

describe('minimum cuts at a price', () => {
  it('are never above the cost of any choice, for any split of costs', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const { network, cut } = cutOf(world);
        const { price, taken, costs } = world;
        const left = network.steps.weigh(
          TARGETS,
          allChoices.map((choice) => [...choice, ...taken]),
          network.weights,
        );
        const least = Math.min(
          ...allChoices.map(
            (choice, at) =>
              choice.reduce((sum, label) => sum + (taken.includes(label) ? 0 : costs[label]), 0) +
              price * (left[at] as number),
          ),
        );
        for (let round = 0; round < 5; round++) {
          expect(cut.run(price, new Set(taken))).toBeLessThanOrEqual(least + 1e-6);
          cut.moveShares(0.5);
        }
      }),
      { numRuns: 600 },
    );
  });

  it('are the minimum cost if no two steps share a label', () => {
    fc.assert(
      fc.property(worlds, fc.uniqueArray(fc.nat(29), { maxLength: LABELS }), (world, places) => {
        const single = {
          ...world,
          steps: world.steps.map((step, at) => ({
            ...step,
            labels: places.includes(at) ? [places.indexOf(at)] : [],
          })),
        };
        const { network, cut } = cutOf(single);
        const left = network.steps.weigh(TARGETS, allChoices, network.weights);
        const worth = allChoices.map(
          (choice, at) =>
            choice.reduce((sum, label) => sum + world.costs[label], 0) + world.price * (left[at] as number),
        );
        expect(cut.run(world.price, new Set())).toBeCloseTo(Math.min(...worth), 6);
        for (const side of ['source', 'target'] as const) {
          const labels = cut.cover(cut.cutSteps(side), new Set());
          const [through] = network.steps.weigh(TARGETS, [labels], network.weights) as [number];
          const cost = labels.reduce((sum, label) => sum + world.costs[label], 0);
          expect(cost + world.price * through).toBeCloseTo(Math.min(...worth), 6);
        }
      }),
      { numRuns: 600 },
    );
  });

  it('return labels that remove all steps of the cut', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const { network, cut } = cutOf(world);
        cut.run(1e6, new Set());
        for (const side of ['source', 'target'] as const) {
          const labels = cut.cover(cut.cutSteps(side), new Set());
          const [through] = network.steps.weigh(TARGETS, [labels], network.weights) as [number];
          // Nodes that always reach the target are the target itself, so the rest can be cut off whole.
          expect(through).toBe(0);
        }
      }),
      { numRuns: 300 },
    );
  });
});
