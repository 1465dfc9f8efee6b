/**
 * Tests that filters of a list support every word that its records may contain; otherwise, a visible word could not be used as a filter.
 */
import { expect, test } from 'vitest';
import { type WordSchema, wordsOf } from '../words.ts';
import { routes } from './index.ts';

const lists = routes.flatMap(({ operationId, columns, responses }) => {
  const data = (responses[200] as WordSchema | undefined)?.properties?.data;
  const records = [data, ...Object.values(data?.properties ?? {})].find((one) => one?.items !== undefined);
  return Object.entries(columns ?? {}).flatMap(([name, { words }]) => {
    const property = records?.items?.properties?.[name];
    const shown = property === undefined ? undefined : wordsOf(property);
    return shown === undefined || shown.length === 0
      ? []
      : [[`${operationId} ${name}`, words, shown] as const];
  });
});

test.each(lists)('%s', (_, words, shown) => {
  expect(words?.toSorted()).toEqual(shown.toSorted());
});

test('are several lists', () => {
  expect(lists.length).toBeGreaterThan(8);
});
