/** Simulates cards in sequence, each on the changed facts of the previous ones. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomDirectories, randomWorld } from '../../test/randomDirectories.ts';
import { changeOf } from '../repairs/repair.ts';
import { type FindingKey, findingKeyText } from '../simulation/findingKeys.ts';
import { shownChangesOf } from '../simulation/movedLogons.ts';
import { changedWorld, exposuresOf, rankedZone } from '../simulation/simulate.ts';
import { finish } from '../steps.ts';
import { CardSimulations } from './cardSimulations.ts';
import { PlanSearch } from './planSearch.ts';

/** Multiplies the number of random cases; nightly runs have more. */
const RUNS = Number(process.env.CLEW_TEST_RUNS ?? 1);

it('has the effect of all changes at once, whatever the cards before it removed', () => {
  let closed = 0;
  fc.assert(
    fc.property(
      randomDirectories,
      fc.array(fc.nat(), { minLength: 3, maxLength: 6 }),
      (directory, chosen) => {
        const world = randomWorld(directory);
        const ranked = rankedZone(world, 1);
        if (ranked === undefined) return;
        const search = finish(PlanSearch.of(world, ranked, { zone: 1 }, 'all'));
        const { packages } = search;
        if (packages.length === 0) return;
        // It removes a relationship that a rule would derive again from the remaining facts.
        const first = packages.findIndex(({ kind }) => kind === 'protect-host');
        const places = [...new Set([first, ...chosen.map((one) => one % packages.length)])].filter(
          (place) => place >= 0,
        );
        const simulations = new CardSimulations(world, { before: exposuresOf(world), exposuresOf });
        const before: string[][] = [];
        for (const [at, place] of places.entries()) {
          const keys = search.keysOf([place]);
          const card = { keys, repairs: search.repairs([place]), exposedAfter: 0 };
          const measured = simulations.measure(card, before);
          before.push(keys);
          const from = changedWorld(world, changeOf(search.repairs(places.slice(0, at))));
          const after = changedWorld(world, changeOf(search.repairs(places.slice(0, at + 1))));
          const expected = shownChangesOf(from, after);
          expect(measured.exposures).toEqual(exposuresOf(after));
          expect(sorted(measured.closed)).toEqual(sorted(expected.closed));
          expect(sorted(measured.opened)).toEqual(sorted(expected.opened));
          closed += measured.closed.length;
        }
      },
    ),
    { numRuns: 12 * RUNS },
  );
  expect(closed).toBeGreaterThan(0);
}, 60_000);

const sorted = (keys: readonly FindingKey[]): string[] => keys.map(findingKeyText).sort();
