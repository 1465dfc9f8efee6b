import { describe, expect, it, test } from 'vitest';
import { nextRun, readRule } from './recurrence.ts';

const NOW = new Date('2026-11-22T16:48:30Z');
const next = (rule: string, after: string): string | undefined =>
  nextRun(rule, new Date(after))?.toISOString();

describe('the next run', () => {
  const daily = 'DTSTART;TZID=Europe/Berlin:20240101T080000\nRRULE:FREQ=DAILY';
  const atNight = 'DTSTART;TZID=Europe/Berlin:20240101T023000\nRRULE:FREQ=DAILY';
  const everySeventhHour = 'DTSTART:20240501T080000Z\nRRULE:FREQ=HOURLY;INTERVAL=7';

  it.each([
    ['keeps its local time in winter', daily, '2026-03-28T12:00:00Z', '2026-03-29T06:00:00.000Z'],
    ['and in summer', daily, '2026-10-24T12:00:00Z', '2026-10-25T07:00:00.000Z'],
    [
      'leaves out a time that the clock jumps over',
      atNight,
      '2026-03-28T12:00:00Z',
      '2026-03-30T00:30:00.000Z',
    ],
    ['comes once when the clock shows it twice', atNight, '2026-10-25T00:30:00Z', '2026-10-26T01:30:00.000Z'],
    ['comes the first of the two times', atNight, '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
    ['counts hours in UTC', everySeventhHour, '2026-10-24T12:00:00Z', '2026-10-24T13:00:00.000Z'],
    ['is later than an occurrence of now', daily, '2026-10-25T07:00:00Z', '2026-10-26T07:00:00.000Z'],
    [
      'finds the leap day',
      'DTSTART:20240229T080000Z\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29',
      '2026-01-01T00:00:00Z',
      '2028-02-29T08:00:00.000Z',
    ],
    [
      'is not of a day that is taken out',
      'DTSTART:20240501T080000Z\nRRULE:FREQ=DAILY\nEXDATE:20261027T080000Z',
      '2026-10-26T12:00:00Z',
      '2026-10-28T08:00:00.000Z',
    ],
    [
      'ends with the count',
      'DTSTART:20240501T080000Z\nRRULE:FREQ=DAILY;COUNT=3',
      '2026-10-26T12:00:00Z',
      undefined,
    ],
  ])('%s', (_, rule, after, expected) => {
    expect(next(rule, after)).toBe(expected);
  });

  it('is the same however long ago the rule began', () => {
    for (const year of [1970, 2000, 2025])
      expect(next(`DTSTART:${year}0501T080000Z\nRRULE:FREQ=HOURLY`, '2026-10-24T12:30:00Z')).toBe(
        '2026-10-24T13:00:00.000Z',
      );
  });
});

test.each([
  ['FREQ=DAILY', 'DTSTART:20261122T164800Z\nRRULE:FREQ=DAILY'],
  ['rrule:freq=weekly;byday=mo', 'DTSTART:20261122T164800Z\nRRULE:FREQ=WEEKLY;BYDAY=MO'],
  [
    'DTSTART:20240501T080000Z\nRRULE:FREQ=HOURLY;INTERVAL=7',
    'DTSTART:20240501T080000Z\nRRULE:FREQ=HOURLY;INTERVAL=7',
  ],
  ['DTSTART:20240501T080000Z\\nRRULE:FREQ=DAILY', 'DTSTART:20240501T080000Z\nRRULE:FREQ=DAILY'],
  ['DTSTART:20240501T080000Z\r\nFREQ=DAILY;', 'DTSTART:20240501T080000Z\nRRULE:FREQ=DAILY'],
])('%j is stored completely', (text, stored) => {
  expect(readRule(text, NOW)).toBe(stored);
});

test.each([
  ['', 'FREQ'],
  ['FREQ=SECONDLY', 'once per hour'],
  ['FREQ=DAILY;INTERVAL=0', 'interval'],
  ['FREQ=FORTNIGHTLY', 'FREQ'],
  ['INTERVAL=2', 'FREQ'],
  [`FREQ=DAILY;${'X'.repeat(4_000)}=1`, 'is not supported'],
  ['DTSTART:yesterday\nRRULE:FREQ=DAILY', ''],
  ['DTSTART:20240501T080000Z\nDTSTART:20240501T080000Z\nRRULE:FREQ=DAILY', 'one DTSTART'],
  ['DTSTART:20240501T080000Z\nRRULE:FREQ=YEARLY;BYDAY=1FR;BYMONTHDAY=13;BYSETPOS=40', 'never runs again'],
])('%j is rejected', (text, reason) => {
  // The steps toward a run are counted: a rule that has none would be followed without end.
  expect(() => readRule(text, NOW)).toThrow(new RegExp(`^rrule is invalid: .*${reason}`, 'i'));
});
