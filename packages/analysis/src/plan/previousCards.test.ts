/** The cards of an earlier plan, evaluated on a graph with the labels of their packages alone. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PlanSearch } from './planSearch.ts';
import { rankedZone } from './simulate.ts';
import { randomDirectories, randomWorld } from './testing/randomDirectories.ts';

it('have the effect that they have on the graph of all packages', () => {
  const kinds = new Set<string>();
  fc.assert(
    fc.property(
      randomDirectories,
      fc.array(fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
      (directory, picks) => {
        const world = randomWorld(directory);
        const ranked = rankedZone(world, 1);
        if (ranked === undefined) return;
        const { packages } = PlanSearch.of(world, ranked, { zone: 1 }, 'all');
        if (packages.length === 0) return;
        const previous = picks.map((card) => [
          ...new Set(card.map((pick) => packages[pick % packages.length].key)),
        ]);
        const [all, few] = (['all', 'previous'] as const).map((searched) => {
          const search = PlanSearch.of(world, ranked, { zone: 1, previous }, searched);
          const cards = search.previousCards().map(({ packages: places, ...card }) => ({
            ...card,
            keys: search.keysOf(places).sort(),
            changes: search
              .repairs(places)
              .map(({ id }) => id)
              .sort(),
            rest: search.restsOnSessions(places, []),
          }));
          return { search, cards };
        });
        expect(few.cards).toEqual(all.cards);
        const wanted = new Set(previous.flat());
        expect(few.search.packages.every(({ key }) => wanted.has(key))).toBe(true);
        for (const { keys } of few.cards) for (const key of keys) kinds.add(key.split(' ')[0]);
      },
    ),
    { numRuns: 200 },
  );
  expect(kinds.size).toBeGreaterThan(12);
}, 60_000);
