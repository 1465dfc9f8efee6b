/** Tests functions of numbers and days that openCypher's scenarios do not cover. */
import { expect, test } from 'vitest';
import { memoryGraph } from '../../test/memoryGraph.ts';
import { runQuery } from '../runQuery.ts';
import { numberOf } from './values.ts';

const graph = memoryGraph([], []);
const evaluated = (expression: string) => runQuery(`RETURN ${expression}`, graph).rows[0][0];

test.each([
  ['round(-2.5)', -2],
  ['round(-2.6)', -3],
  ['round(2.5)', 3],
  ['round(-0.4)', 0],
  ['round(-1.55, 1)', -1.6],
])('%s is %s', (expression, result) => {
  expect(numberOf(evaluated(expression))).toBe(result);
});

test.each([
  ["date('2023-4-4')", '2023-04-04'],
  ["date('2023-11-4')", '2023-11-04'],
  ["datetime('2023-4-4T12:00Z')", '2023-04-04T12:00Z'],
])('%s is parsed as %s', (expression, result) => {
  expect(String(evaluated(expression))).toBe(result);
});

test.each(["date('20234-4')", "date('2023-13-4')", "date('2023-4-44')", "date('2023-4-4-4')"])(
  '%s is refused',
  (expression) => {
    expect(() => evaluated(expression)).toThrow();
  },
);
