/** Filters of a list know every word that its records may have; a word that is left out could be seen and not asked for. */
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
