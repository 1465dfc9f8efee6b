import { expect, it } from 'vitest';
import { testAlert } from '../../test/alerts.ts';

it.each([
  [1, 'closed: a.'],
  [3, 'closed: a, b, c.'],
  [4, 'closed: a, b, c and others.'],
])('an alert of %i reasons says so much: %s', (count, text) => {
  const reasons = ['a', 'b', 'c', 'd'].slice(0, count);
  expect(testAlert(count, { kind: 'close', reasons }).description).toContain(text);
});
