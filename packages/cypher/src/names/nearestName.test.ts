/** Names that were probably meant. */
import { expect, test } from 'vitest';
import { editDistance, nearestName } from './nearestName.ts';

test.each([
  ['hasSPN', ['hasspn', 'haslaps'], 'hasspn'],
  ['hasspns', ['haslaps', 'hasspn'], 'hasspn'],
  ['GpLink', ['GPLink', 'Group'], 'GPLink'],
  ['lastlogno', ['lastlogon', 'lastlogontimestamp'], 'lastlogon'],
  ['color', ['name', 'enabled'], undefined],
  ['x'.repeat(1000), ['x'.repeat(1000)], undefined],
])('%s', (name, known, nearest) => {
  expect(nearestName(name, known)).toBe(nearest);
});

test('counts inserted, deleted, substituted and swapped letters', () => {
  expect(['', 'a', 'ab', 'ba', 'abd', 'xbcd', 'abcd'].map((text) => editDistance(text, 'abcd', 4))).toEqual([
    4, 3, 2, 3, 1, 1, 0,
  ]);
  expect(editDistance('abdc', 'abcd', 4)).toBe(1);
  expect(editDistance('abcd', 'wxyz', 2)).toBeGreaterThan(2);
});
