import { expect, it } from 'vitest';
import { testAlert } from '../../test/alerts.ts';

it.each([
  [1, 'Closed attack paths in CORP.LOCAL: a.'],
  [3, 'Closed attack paths in CORP.LOCAL: a, b, c.'],
  [4, 'Closed attack paths in CORP.LOCAL: a, b, c and others.'],
])('an alert of %i reasons says so much: %s', (count, text) => {
  const reasons = ['a', 'b', 'c', 'd'].slice(0, count);
  expect(testAlert(count, { kind: 'close', reasons }).description).toContain(text);
});
