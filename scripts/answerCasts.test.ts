import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { answerCastsBelow, answerCastsIn } from './answerCasts.ts';

it.each([
  ['the whole answer', 'return { status: 200, json: { data: row } as never };', '{ data: row } as never'],
  ['a part of it', 'return { status: 200, json: { data: row as User } };', '{ data: row as User }'],
  ['an answer of several lines', 'return {\n  json: {\n    data: f(row) as User,\n  },\n};', undefined],
  ['an answer in front of others', 'return { json: all as List, status: 200 };', 'all as List'],
])('finds a cast of %s', (_, text, answer) => {
  const [found, ...others] = answerCastsIn(`const a = 1;\n${text}`);
  expect(others).toEqual([]);
  expect(found?.line).toBe(text.startsWith('return {\n') ? 3 : 2);
  if (answer !== undefined) expect(found?.answer).toBe(answer);
});

it.each([
  'return { status: 200, json: { data: row } };\nconst other = row as User;',
  "return { status: 200, json: { type: 'OIDC' as const } };",
  "return { status: 200, json: { text: 'the same as before', n: 1 /* as it is */ } };",
])('ignores code that casts no answer: %s', (text) => {
  expect(answerCastsIn(text)).toEqual([]);
});

it('finds none in this repository', () => {
  expect(answerCastsBelow(resolve(import.meta.dirname, '..'))).toEqual([]);
});
