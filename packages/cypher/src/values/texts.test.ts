/** Compares functions of texts with those of JavaScript, on texts that repeat themselves, and checks their cost. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contains, lengthOf, replace, reversed, slice, split } from './texts.ts';

const counting = () => ({
  steps: 0,
  spend(steps: number): void {
    this.steps += steps;
  },
});

describe('text functions return the same as JavaScript', () => {
  const few = fc.string({ unit: fc.constantFrom('a', 'b', '😀'), maxLength: 300 });
  // Longer than the texts that the engine searches for by itself.
  const long = fc.tuple(few, fc.constantFrom('a', 'ab', 'aab')).map(([text, unit]) => unit.repeat(40) + text);

  test('on any text', () => {
    fc.assert(
      fc.property(few, fc.oneof(few, long), few, (text, part, other) => {
        const budget = counting();
        for (const whole of [text, other + part + text, part + part.slice(1) + part]) {
          expect(contains(whole, part, budget)).toBe(whole.includes(part));
          expect(split(whole, part, budget)).toEqual(whole.split(part));
          expect(replace(whole, part, other, budget)).toBe(whole.split(part).join(other));
          expect(lengthOf(whole, budget)).toBe([...whole].length);
          expect(slice(whole, 3, 9, budget)).toBe([...whole].slice(3, 9).join(''));
          expect(reversed(whole, budget)).toBe([...whole].reverse().join(''));
        }
      }),
    );
  });

  test('if a text is reversed in pieces', () => {
    const text = `x${'😀'.repeat(70_000)}`;
    expect(reversed(text, counting())).toBe([...text].reverse().join(''));
  });
});

test('a long pattern in a text that repeats it takes the time of one pass', () => {
  // The search of the engine takes 100 s for this.
  const text = 'a'.repeat(1_000_000);
  const part = `${'a'.repeat(300_000)}b${'a'.repeat(300_000)}`;
  const budget = counting();
  expect(contains(text, part, budget)).toBe(false);
  expect(budget.steps).toBeLessThanOrEqual(2 * (text.length + part.length));
});
