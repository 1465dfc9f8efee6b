import { graphOf } from '@clew/graph/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomDirectories, randomWorld } from '../../test/randomDirectories.ts';
import { PlanSearch } from '../search/planSearch.ts';
import { rankedZone } from '../simulation/simulate.ts';
import { finish } from '../steps.ts';
import { placesOfKeys } from './packageKeys.ts';
import type { WorkPackage } from './packageOrder.ts';

it('packages are found by their keys, and no others', () => {
  let found = 0;
  fc.assert(
    fc.property(randomDirectories, fc.array(fc.nat(), { maxLength: 8 }), (directory, picks) => {
      const world = randomWorld(directory);
      const ranked = rankedZone(world, 1);
      if (ranked === undefined) return;
      const { packages } = finish(PlanSearch.of(world, ranked, { zone: 1 }, 'all'));
      const keys = packages.map(({ key }) => key);
      const wanted = picks.map((pick) => keys[pick % (keys.length + 1)] ?? 'remove-member X MemberOf Y');
      const places = placesOfKeys(world.context.graph, packages, wanted);
      expect([...places].sort()).toEqual(
        [...new Set(wanted)]
          .filter((key) => keys.includes(key))
          .map((key) => [key, keys.indexOf(key)])
          .sort(),
      );
      expect(placesOfKeys(world.context.graph, packages, keys).size).toBe(packages.length);
      found += places.size;
    }),
    { numRuns: 40 },
  );
  expect(found).toBeGreaterThan(20);
});

it('packages of objects whose ids have spaces are found', () => {
  const { graph, node } = graphOf({ nodes: [{ id: 'A' }, { id: 'A B  C' }, { id: 'D E' }] });
  const packageOf = (
    kind: 'remove-relation' | 'access-list',
    ids: readonly string[],
    more: string,
  ): WorkPackage => ({
    ...{ kind, key: `${kind} ${more}`, subjects: ids.map(node), repairs: [], cost: 1 },
    ...{ isAtomic: true, isWide: false, isKept: false, root: 0 },
  });
  const packages = [
    packageOf('remove-relation', ['A B  C', 'D E'], 'A B  C Owns D E'),
    packageOf('remove-relation', ['A', 'D E'], 'A Owns D E'),
    packageOf('access-list', ['A B  C'], 'A B  C'),
  ];
  const keys = packages.map(({ key }) => key);
  expect([...placesOfKeys(graph, packages, keys)]).toEqual(keys.map((key, at) => [key, at]));
  expect([...placesOfKeys(graph, packages, keys.slice(1, 2))]).toEqual([[keys[1], 1]]);
});
