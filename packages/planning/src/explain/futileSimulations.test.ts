/** Remaining paths if no simulation confirms that the repairs close a path. */
import { expect, it } from 'vitest';
import { manyForests } from '../../test/manyForests.ts';
import type { Repair } from '../repairs/repair.ts';
import { type RemainingPath, type RemainingPaths, remainingPaths } from './remainingPaths.ts';

/** The repairs that a path needs are known, but change nothing. */
function pathsOf(forests: number, isExcluded: boolean): RemainingPaths<RemainingPath> | undefined {
  const world = manyForests({ forests });
  return remainingPaths<RemainingPath>(world, 1, {
    ...{ count: 200, kept: [world], detailsOf: (path) => path, isExcluded: () => isExcluded },
    costOf: (repair: Repair) => {
      Object.defineProperty(repair, 'change', { value: { removed: [], properties: [] } });
      return 1;
    },
  });
}

it('blames no constraint for a path with allowed repairs that do not close it', () => {
  const allowed = pathsOf(2, false);
  expect(allowed?.paths.map(({ stays }) => stays)).toEqual(['unknown', 'unknown']);
  expect(allowed?.end).toBe('open');
  expect([...(pathsOf(2, true)?.reasons ?? [])]).toEqual(['excluded']);
});

it('ends after a number of simulations that close no path', () => {
  // Three simulations in each forest.
  expect(pathsOf(15, false)?.end).toBe('open');
  expect(pathsOf(20, false)?.end).toBe('more');
});
