import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cheapestCover } from './cheapestCover.ts';

const REPAIRS = 6;
const costs = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: REPAIRS, maxLength: REPAIRS });
const way = fc.uniqueArray(fc.nat(REPAIRS - 1), { minLength: 1, maxLength: 3 }).map((all) => new Set(all));

it('costs as little as the best of all sets of repairs', () => {
  fc.assert(
    fc.property(costs, fc.array(way, { minLength: 1, maxLength: 6 }), (prices, ofWays) => {
      const sum = (all: readonly number[]): number => all.reduce((total, one) => total + prices[one], 0);
      const isCover = (all: readonly number[]): boolean =>
        ofWays.every((ofWay) => all.some((one) => ofWay.has(one)));
      const all = Array.from({ length: REPAIRS }, (_, at) => at);
      const sets = Array.from({ length: 2 ** REPAIRS }, (_, bits) => all.filter((at) => (bits >> at) & 1));
      const found = cheapestCover(ofWays, (one) => prices[one]) ?? [];
      expect(isCover(found)).toBe(true);
      expect(sum(found)).toBe(Math.min(...sets.filter(isCover).map(sum)));
    }),
    { numRuns: 500 },
  );
});

it('finds two repairs that share ways instead of the cheapest of each way', () => {
  const prices = [1, 1.5, 1, 1];
  const ofWays = [new Set([0, 1]), new Set([2, 1]), new Set([3])];
  expect(cheapestCover(ofWays, (one) => prices[one])?.toSorted()).toEqual([1, 3]);
});

it('is unknown without a way, and where nothing removes one', () => {
  expect(cheapestCover([], () => 1)).toBeUndefined();
  expect(cheapestCover([new Set([0]), new Set()], () => 1)).toBeUndefined();
});

it('ends with many ways', () => {
  const ofWays = Array.from(
    { length: 60 },
    (_, at) => new Set([at, at + 1, 100 + (at % 7), 200 + (at % 11)]),
  );
  expect(cheapestCover(ofWays, (one) => 1 + (one % 5))?.length).toBeGreaterThan(0);
});
