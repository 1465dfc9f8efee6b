/** Prices of packages are equal in every scope, and kept changes are never combined with others. */

import { NodeSet } from '@clew/graph';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomDirectories, randomWorld } from '../../test/randomDirectories.ts';
import { PlanSearch } from '../search/planSearch.ts';
import { rankedZone } from '../simulation/simulate.ts';
import { finish } from '../steps.ts';

/** Packages that count as one change, regardless of their number of relations. */
const ONE_CHANGE: ReadonlySet<string> = new Set(['rights-on-object', 'inherited-entry', 'protected-entry']);

describe('prices in random directories', () => {
  it('are the same in all scopes, and what is kept is in no package of several', { timeout: 60_000 }, () => {
    let [kept, same] = [0, 0];
    fc.assert(
      fc.property(randomDirectories, fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), (spec, nodes) => {
        const world = randomWorld(spec);
        const ranked = rankedZone(world, 1);
        if (ranked === undefined) throw new Error('the zone is there');
        const { nodeCount } = world.context.graph;
        const named = NodeSet.of(
          nodeCount,
          nodes.map((node) => node % nodeCount),
        );
        const all = finish(PlanSearch.of(world, ranked, { zone: 1 }, 'all'));
        const costs = new Map(
          all.packages.map((one, place) => [
            `${one.key} ${all.repairs([place]).map(({ id }) => id)}`,
            one.cost,
          ]),
        );
        for (const searched of ['wide', { near: named, hasMemberships: true }] as const) {
          const search = finish(PlanSearch.of(world, ranked, { zone: 1 }, searched));
          for (const [place, { key, cost }] of search.packages.entries()) {
            const known = costs.get(`${key} ${search.repairs([place]).map(({ id }) => id)}`);
            if (known === undefined) continue;
            same++;
            expect([key, cost]).toEqual([key, known]);
          }
        }
        for (const [place, { kind, isKept, repairs }] of all.packages.entries()) {
          const prices = all.priced(place).prices;
          if (repairs.length > 1 && !ONE_CHANGE.has(kind)) expect([kind, isKept]).toEqual([kind, false]);
          // Either all relations of a change are kept, or none.
          if (isKept) expect(prices.every(({ breaks }) => breaks >= 5)).toBe(true);
          if (isKept) kept++;
        }
      }),
      { numRuns: 60 },
    );
    expect(kept).toBeGreaterThan(50);
    expect(same).toBeGreaterThan(200);
  });
});
