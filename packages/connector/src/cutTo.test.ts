import { expect, it } from 'vitest';
import { cutTo } from './cutTo.ts';

it('cuts by UTF-16 units, and never through a character', () => {
  expect(cutTo('abc', 3)).toBe('abc');
  expect(cutTo('abc', 2)).toBe('ab');
  expect(cutTo('a😀b', 2)).toBe('a');
  expect(cutTo('a😀b', 3)).toBe('a😀');
  expect(cutTo('😀😀', 3)).toBe('😀');
  expect(cutTo('😀', 1)).toBe('');
  expect(cutTo('abc', 0)).toBe('');
});
