import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ListNumbers } from './listNumbers.ts';

describe('numbers of lists', () => {
  it('are equal for equal lists, and ascend in the order of the lists', () => {
    const lists = fc.array(fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 4 }), { maxLength: 60 });
    fc.assert(
      fc.property(lists, (given) => {
        const numbers = new ListNumbers();
        const known = new Map<string, number>();
        for (const list of given) {
          const key = list.join();
          if (!known.has(key)) known.set(key, known.size);
          expect(numbers.numberOf(list)).toBe(known.get(key));
        }
        expect(numbers.size).toBe(known.size);
      }),
    );
  });

  it('stay the same for many lists', () => {
    const numbers = new ListNumbers();
    const listOf = (at: number): number[] => [at % 97, Math.floor(at / 97)];
    for (let at = 0; at < 5000; at++) expect(numbers.numberOf(listOf(at))).toBe(at);
    for (let at = 0; at < 5000; at++) expect(numbers.numberOf(Uint32Array.from(listOf(at)))).toBe(at);
  });
});
