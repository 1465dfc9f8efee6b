/** The starts of paths in many forests, and the memory that they use. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { manyForests } from '../../test/manyForests.ts';
import { easiestPath } from './easiestPath.ts';
import { pathStarts } from './pathStarts.ts';

const FORESTS = 16;

const garbage = (): void => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
};

it('gives the easiest path of each start, and keeps the searches of few forests', () => {
  const world = manyForests({ forests: FORESTS, others: 100_000 });
  const { nodeCount } = world.context.graph;
  // Fills the memory of the world.
  pathStarts(world, 1, {});
  garbage();
  const before = process.memoryUsage().arrayBuffers;
  const starts = pathStarts(world, 1, {});
  expect(starts.length).toBe(2 * FORESTS);
  for (const { start, effort, environment, stepsFrom } of starts) {
    const path = easiestPath(world, 1, start, { environment });
    expect([effort, stepsFrom(start)]).toEqual([path?.effort, path?.steps]);
  }
  garbage();
  // The starts are alive.
  expect(starts[0]?.stepsFrom(starts[0].start).length).toBe(1);
  // The comparison has its own memory, also of eight forests at most.
  const kept = (process.memoryUsage().arrayBuffers - before) / (8 * nodeCount);
  expect(kept).toBeLessThan(8 + 8 + 4);
}, 60_000);
