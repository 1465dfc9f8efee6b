import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderOfPairs } from './orderOfPairs.ts';

describe('orderOfPairs', () => {
  it('sorts by major, then minor, and keeps the order of equal pairs, for few and for many pairs', () => {
    const number = fc.oneof(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 0, max: 0xffff_ffff }));
    const seed = fc.array(fc.tuple(number, number), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(seed, fc.constantFrom(1, 200), (pairs, repetitions) => {
        const all = Array.from({ length: repetitions }, () => pairs).flat();
        const major = Uint32Array.from(all, ([value]) => value);
        const minor = Uint32Array.from(all, ([, value]) => value);
        const twin = all.map((_, at) => at);
        twin.sort((a, b) => major[a] - major[b] || minor[a] - minor[b] || a - b);
        expect([...orderOfPairs(major, minor)]).toEqual(twin);
      }),
      { numRuns: 40 },
    );
  });
});
