/** Compares with a Set. */
import { expect, test } from 'vitest';
import { Random } from '../../test/randomGraph.ts';
import { NumberSet, PairSet } from './numberSet.ts';

test('contains the added numbers', () => {
  const random = new Random(3);
  const [numbers, plain] = [new NumberSet(), new Set<number>()];
  for (let at = 0; at < 50_000; at++) {
    const number = random.below(random.chance(0.5) ? 1000 : 4_000_000);
    expect(numbers.add(number)).toBe(!plain.has(number));
    plain.add(number);
  }
  expect(numbers.size).toBe(plain.size);
});

test('contains the added pairs of numbers', () => {
  const random = new Random(5);
  const [pairs, plain] = [new PairSet(), new Set<string>()];
  for (let at = 0; at < 50_000; at++) {
    const [first, second] = [random.below(random.chance(0.5) ? 100 : 4_000_000), random.below(200)];
    expect(pairs.add(first, second)).toBe(!plain.has(`${first} ${second}`));
    plain.add(`${first} ${second}`);
  }
});
