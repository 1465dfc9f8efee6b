import { expect, it } from 'vitest';
import { halfMention, suggestions } from './mentionSearch.ts';

const users = ['ann', 'Ann Lee', 'bob', 'maja@corp.example', 'Ida Berg'].map((name) => ({ id: name, name }));
const found = (text: string): string[] => suggestions(users, text).map(({ name }) => name);

it.each([
  ['@', { from: 0, text: '' }],
  ['See @an', { from: 4, text: 'an' }],
  ['(@Ann L', { from: 1, text: 'Ann L' }],
  ['Line\n@b', { from: 5, text: 'b' }],
  ['@maja@co', { from: 0, text: 'maja@co' }],
  ['@ann, me@corp and @b', { from: 18, text: 'b' }],
])('a mention begins in %j', (before, half) => {
  expect(halfMention(before)).toEqual(half);
});

it.each(['', 'ann', 'me@corp', '@ann\n', 'x.@ann'])('none begins in %j', (before) => {
  expect(halfMention(before)).toBeUndefined();
});

it('users are found by the beginning of their name or of a word in it', () => {
  expect(found('')).toEqual(['ann', 'Ann Lee', 'bob', 'maja@corp.example', 'Ida Berg']);
  expect(found('AN')).toEqual(['ann', 'Ann Lee']);
  expect(found('ann l')).toEqual(['Ann Lee']);
  expect(found('ber')).toEqual(['Ida Berg']);
  expect(found('corp')).toEqual(['maja@corp.example']);
  expect(found('nn')).toEqual([]);
  // The name is complete, so Enter inserts a new line again.
  expect(found('ann ')).toEqual([]);
  expect(found('bob and')).toEqual([]);
});
