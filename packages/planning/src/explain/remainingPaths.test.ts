/** Compares the remaining paths with the easiest path of each principal, in the worlds that the repairs of the paths make. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomDirectories, randomWorld } from '../../test/randomDirectories.ts';
import { changeOf, DEFAULT_COSTS, type Repair, withoutRepeated } from '../repairs/repairs.ts';
import { type AnalyzedWorld, changedWorld, rankedZone } from '../simulation/simulate.ts';
import { easiestPath } from './easiestPath.ts';
import { type RemainingPath, remainingPaths } from './remainingPaths.ts';

const ZONE = 1;
const COUNT = 4;

const costOf = ({ kind }: Repair): number => DEFAULT_COSTS[kind];

/** Efforts of the principals outside the zone that have a path into it. */
function effortsIn(world: AnalyzedWorld): number[] {
  const above = rankedZone(world, ZONE)?.above;
  return [...world.principals]
    .filter((node) => above?.has(node) !== true)
    .flatMap((node) => easiestPath(world, ZONE, node)?.effort ?? []);
}

function pathsIn(world: AnalyzedWorld, isExcluded: (repair: Repair) => boolean = () => false) {
  return remainingPaths<RemainingPath>(world, ZONE, {
    ...{ count: COUNT, costOf, isExcluded, kept: [world] },
    detailsOf: (path, _, after) => {
      expect(after === undefined).toBe(path.cut === undefined);
      return path;
    },
  });
}

it('lists the easiest path in each world after the repairs before it, and these repairs close it', () => {
  let [several, complete] = [0, 0];
  fc.assert(
    fc.property(randomDirectories, (directory) => {
      const world = randomWorld(directory);
      const found = pathsIn(world);
      let current = world;
      for (const { effort, steps, cut, environment } of found?.paths ?? []) {
        if (cut === undefined) return;
        const efforts = effortsIn(current);
        expect(effort).toBe(Math.min(...efforts));
        expect(steps.reduce((sum, step) => sum + step.effort, 0)).toBe(effort);
        expect(cut.cost).toBe(cut.repairs.reduce((sum, repair) => sum + costOf(repair), 0));
        const start = steps[0]!.start;
        expect(easiestPath(current, ZONE, start, { environment })?.effort).toBe(effort);
        current = changedWorld(current, withoutRepeated(changeOf(cut.repairs)));
        const { start: from, kind, end } = steps[cut.step]!;
        const { offsets, neighbors, kinds } = current.context.attackGraph.out;
        for (let at = offsets[from]; at < offsets[from + 1]; at++)
          expect(neighbors[at] === end && kinds[at] === kind).toBe(false);
      }
      const left = effortsIn(current).length;
      expect(found?.isComplete).toBe(left === 0);
      if ((found?.paths.length ?? 0) > 1) several++;
      if (found?.isComplete) complete++;
    }),
    { numRuns: 100 },
  );
  expect(several).toBeGreaterThan(20);
  expect(complete).toBeGreaterThan(5);
});

it('goes on past a path that nothing closes, and uses no excluded repair', () => {
  let [open, more] = [0, 0];
  fc.assert(
    fc.property(randomDirectories, (directory) => {
      const world = randomWorld(directory);
      const all = pathsIn(world, () => true)?.paths ?? [];
      for (const { cut } of all) expect(cut).toBe(undefined);
      const ends = all.map(({ steps }) =>
        JSON.stringify([steps.at(-1)?.start, steps.at(-1)?.kind, steps.at(-1)?.end]),
      );
      expect(new Set(ends).size).toBe(ends.length);
      if (all.length > 0) open++;
      if (all.length > 1) more++;
      const isExcluded = ({ kind }: Repair): boolean => kind === 'remove-permission';
      for (const { cut } of pathsIn(world, isExcluded)?.paths ?? [])
        for (const repair of cut?.repairs ?? []) expect(isExcluded(repair)).toBe(false);
    }),
    { numRuns: 50 },
  );
  expect(open).toBeGreaterThan(20);
  expect(more).toBeGreaterThan(10);
});
