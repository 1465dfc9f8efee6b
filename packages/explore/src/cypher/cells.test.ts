/** Tests that a map in a query stays a map, whatever its keys are. */
import { expect, test } from 'vitest';
import { cell, entriesOf, mapCell, partOf } from './cells.ts';

const KEYS = ['$', '$$', '$$$', '$a', 'a$', '', 'node'];

test('no map in a query is treated as a graph part', () => {
  for (const key of KEYS)
    expect(partOf(mapCell({ [key]: { type: 'node', node: 7 } }, (inner) => inner))).toBe(undefined);
  expect(partOf(cell({ type: 'node', node: 7 }))).toEqual({ type: 'node', node: 7 });
});

test('keys are shown as in the query', () => {
  const map = Object.fromEntries(KEYS.map((key, at) => [key, at]));
  expect(Object.fromEntries(entriesOf(mapCell(map, (value) => value)))).toEqual(map);
});
