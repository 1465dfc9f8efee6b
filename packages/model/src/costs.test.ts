import { expect, it } from 'vitest';
import { costText } from './costs.ts';

it.each([
  [1, '1'],
  [7.8, '7.8'],
  [1.25, '1.3'],
  [1.2000000000000002, '1.2'],
  [2.04, '2'],
  [0.1 + 0.2, '0.3'],
  [1234.56, '1234.6'],
])('the cost %d is the text %s', (cost, text) => expect(costText(cost)).toBe(text));
