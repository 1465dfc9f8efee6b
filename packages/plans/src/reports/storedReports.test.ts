import { expect, it } from 'vitest';
import { nextTime } from './storedReports.ts';

it.each([
  // A Friday, a Monday before and at six, the last day of a year.
  ['weekly', '2026-11-27T10:00:00Z', '2026-11-30T06:00:00.000Z'],
  ['weekly', '2026-11-30T05:59:59Z', '2026-11-30T06:00:00.000Z'],
  ['weekly', '2026-11-30T06:00:00Z', '2026-12-07T06:00:00.000Z'],
  ['monthly', '2026-12-31T23:00:00Z', '2027-01-01T06:00:00.000Z'],
  ['monthly', '2026-12-01T05:00:00Z', '2026-12-01T06:00:00.000Z'],
  ['none', '2026-12-01T05:00:00Z', undefined],
] as const)('a report is made %s after %s', (schedule, now, next) => {
  expect(nextTime(schedule, new Date(now))?.toISOString()).toBe(next);
});
