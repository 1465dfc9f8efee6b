import { expect, it } from 'vitest';
import { seedsText } from './seedsText.ts';

it.each([
  [3, 0, '3 objects'],
  [2, 1, '3 objects, 1 is not visible to you'],
  [0, 1, '1 object, 1 is not visible to you'],
  [1, 4, '5 objects, 4 are not visible to you'],
])('%i that are seen and %i that are not: %s', (seen, hidden, text) => {
  expect(seedsText(seen, hidden)).toBe(text);
});
