import { LabeledStepsBuilder } from '@clew/graph';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { crowdedNodes } from './crowdedNodes.ts';

const NODES = 8;
const node = fc.nat(NODES - 1);

/** Slow twin: principals that pass through each node, by following all shortest paths of each. */
function throughNodes(
  steps: readonly (readonly [number, number])[],
  targets: ReadonlySet<number>,
  weights: readonly number[],
): number[] {
  const distances = Array.from({ length: NODES }, (_, at) =>
    targets.has(at) ? 0 : Number.POSITIVE_INFINITY,
  );
  for (let round = 0; round < NODES; round++)
    for (const [start, end] of steps) distances[start] = Math.min(distances[start], distances[end] + 1);
  const sums = new Array<number>(NODES).fill(0);
  const follow = (at: number, amount: number): void => {
    sums[at] += amount;
    if (distances[at] === 0) return;
    const next = steps.filter(([start, end]) => start === at && distances[end] === distances[at] - 1);
    for (const [, end] of next) follow(end, amount / next.length);
  };
  for (const [at, weight] of weights.entries()) if (Number.isFinite(distances[at])) follow(at, weight);
  return sums;
}

it('are those that enough principals come through, each over its shortest ways', () => {
  let found = 0;
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(node, node, fc.nat(2)), {
        maxLength: 24,
        selector: ([start, end]) => start * NODES + end,
      }),
      fc.uniqueArray(node, { minLength: 1, maxLength: 2 }),
      fc.array(fc.array(fc.nat(3), { minLength: NODES, maxLength: NODES }), { minLength: 1, maxLength: 2 }),
      fc.uniqueArray(fc.nat(2), { maxLength: 2 }),
      fc.integer({ min: 1, max: 5 }),
      (all, targets, groups, taken, least) => {
        const steps = all.filter(([start, end]) => start !== end);
        const builder = new LabeledStepsBuilder(NODES);
        for (const [start, end, label] of steps) builder.add(start, end, [label]);
        const crowded = crowdedNodes({
          steps: builder.build(3, undefined),
          realms: [
            { targets, groups: groups.map((weights) => ({ weights: Uint32Array.from(weights), least })) },
          ],
          taken: new Set(taken),
          nodeCount: NODES,
        });
        const open = steps.flatMap(([start, end, label]) =>
          taken.includes(label) ? [] : [[start, end] as const],
        );
        const sums = groups.map((weights) => throughNodes(open, new Set(targets), weights));
        for (let at = 0; at < NODES; at++) {
          const most = Math.max(...sums.map((own) => own[at]));
          // Sums of fractions are not exact.
          if (Math.abs(most - least) > 1e-6) expect(crowded.has(at)).toBe(most > least);
        }
        found += crowded.size;
      },
    ),
    { numRuns: 500 },
  );
  expect(found).toBeGreaterThan(100);
});
