import { expect, it } from 'vitest';
import {
  MAX_PATH_STEPS,
  MAX_SIMULATED,
  remainingText,
  simulatedCards,
  stepsOfPaths,
  watchedText,
} from './watchedPaths.ts';

/** Cards with these numbers of changes in two packages each. */
const cardsOf = (...sizes: readonly number[]) =>
  sizes.map((size, card) => {
    const references = Array.from({ length: size }, (_, at) => `${card}:${at}`);
    return { packages: [{ references: references.slice(0, 1) }, { references: references.slice(1) }] };
  });

it('simulates all cards, or the first whole ones that fit into a request, and says which', () => {
  const all = simulatedCards(cardsOf(3, 2), 2);
  expect(all).toEqual({ repairs: ['0:0', '0:1', '0:2', '1:0', '1:1'], after: 'after 2 cards' });
  expect(simulatedCards(cardsOf(1), 1).after).toBe('after 1 card');
  const fits = simulatedCards(cardsOf(400, MAX_SIMULATED - 400), 2);
  expect([fits.repairs.length, fits.after]).toEqual([MAX_SIMULATED, 'after 2 cards']);
  // The third card would fit, but the plan does not have it directly after the first.
  const cut = simulatedCards(cardsOf(600, 401, 1), 3);
  expect([cut.repairs.length, cut.after]).toEqual([600, 'after the first card']);
  // Not even the first card fits.
  expect(simulatedCards(cardsOf(MAX_SIMULATED + 1, 1), 2)).toEqual({
    repairs: [],
    after: 'now, since the first card has more changes than one request simulates',
  });
  // The request for cards has a limit too.
  expect(simulatedCards(cardsOf(1, 1), 7).after).toBe('after the first 2 cards');
});

it('names each step of paths once, and says how many steps do not fit', () => {
  const path = (...ids: readonly string[]) => ({
    nodes: ids.map((object_id) => ({ object_id })),
    steps: ids.slice(1).map(() => ({ kind: 'MemberOf' })),
  });
  expect(stepsOfPaths([path('A', 'B', 'C'), path('X', 'B', 'C')])).toEqual(
    ['AB', 'BC', 'XB'].map(([source_id, target_id]) => ({ source_id, target_id, kinds: ['MemberOf'] })),
  );
  expect(watchedText(1, 1, '1 path')).toBe('1 detection rule for 1 step of 1 path.');
  expect(watchedText(9, MAX_PATH_STEPS, '3 paths')).toBe('9 detection rules for 100 steps of 3 paths.');
  expect(watchedText(9, 1101, '3 paths')).toBe(
    '9 detection rules for the first 100 of 1,101 steps of 3 paths.',
  );
});

it('words the paths that remain, also those of one environment', () => {
  expect(remainingText(1)).toBe('1 path that remains');
  expect(remainingText(3, 'after 2 cards')).toBe('3 paths that remain after 2 cards');
  expect(remainingText(0, 'after 2 cards')).toBe('no attack path remains after 2 cards');
  expect(remainingText(2, 'after 1 card', 10)).toBe(
    '2 paths that remain after 1 card, of the 10 easiest of all environments',
  );
  expect(remainingText(0, 'after 1 card', 10)).toBe(
    'none of the 10 easiest paths that remain after 1 card is of this environment',
  );
});
