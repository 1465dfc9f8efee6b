import fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomDirectories, randomWorld } from '../../test/randomDirectories.ts';
import type { Repair } from '../repairs/repair.ts';
import { DEFAULT_COSTS } from '../repairs/repairKinds.ts';
import { rankedZone } from '../simulation/simulate.ts';
import { easiestPath } from './easiestPath.ts';
import { PathCuts } from './pathCuts.ts';

it('asks for the cost of each repair once', () => {
  let priced = 0;
  fc.assert(
    fc.property(randomDirectories, (directory) => {
      const world = randomWorld(directory);
      const asked = new Map<Repair, number>();
      const cuts = new PathCuts(
        world,
        (repair) => {
          asked.set(repair, (asked.get(repair) ?? 0) + 1);
          return DEFAULT_COSTS[repair.kind];
        },
        undefined,
      );
      const above = rankedZone(world, 1)?.above;
      for (const node of world.principals)
        if (!above?.has(node)) cuts.of(easiestPath(world, 1, node)?.steps ?? []);
      for (const times of asked.values()) expect(times).toBe(1);
      priced += asked.size;
    }),
    { numRuns: 20 },
  );
  expect(priced).toBeGreaterThan(20);
});
