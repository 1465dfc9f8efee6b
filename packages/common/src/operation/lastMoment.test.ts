import { expect, it } from 'vitest';
import { lastMoment } from './lastMoment.ts';

it.each([
  [500, 250],
  [1000, 300],
  [3000, 900],
  [10_000, 3000],
  [600_000, 3000],
])('leaves a part of %i ms for the answer of a request whose time is up: %i ms', (limit, rest) => {
  expect(limit - lastMoment(limit, 0)).toBe(rest);
});

it('is a whole number, as timers of the platform need', () => {
  expect(lastMoment(1001, 0)).toBe(700);
});

it('is infinite without a deadline', () => {
  expect(lastMoment(Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY);
});
