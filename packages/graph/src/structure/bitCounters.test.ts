import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BitCounters } from './bitCounters.ts';

describe('BitCounters', () => {
  it('adds each weight to the counters of the bits that are set', () => {
    const words = fc.array(fc.tuple(fc.nat(0xffff_ffff), fc.oneof(fc.nat(3), fc.nat(0xff_ffff))), {
      maxLength: 50,
      size: 'max',
    });
    fc.assert(
      fc.property(words, (added) => {
        const counters = new BitCounters();
        counters.add(0xffff_ffff, 5);
        counters.clear();
        for (const [word, weight] of added) counters.add(word, weight);
        for (let bit = 0; bit < 32; bit++) {
          const expected = added.reduce((sum, [word, weight]) => sum + ((word >>> bit) & 1) * weight, 0);
          expect(counters.count(bit)).toBe(expected);
        }
      }),
    );
  });
});
