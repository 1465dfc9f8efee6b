import { expect, test } from 'vitest';
import { likelyName, nearestNames } from './nearestNames.ts';

const KNOWN = ['name', 'kind', 'severity', 'critical', 'environment'];

test.each([
  ['nmae', 'name'],
  ['knd', 'kind'],
  ['kinds', 'kind'],
  ['Kimd', 'kind'],
  ['crit', 'critical'],
  ['enviroment', 'environment'],
  ['sql', undefined],
  ['x', undefined],
  ['', undefined],
])('%s was probably %s', (given, meant) => {
  expect(likelyName(given, KNOWN)).toBe(meant);
});

test('the nearest come first, and names with no common pair are excluded', () => {
  expect(nearestNames('criticality', KNOWN)).toEqual(['critical', 'severity']);
  expect(nearestNames('qq', KNOWN)).toEqual([]);
});
