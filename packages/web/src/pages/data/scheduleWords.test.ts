import { expect, test } from 'vitest';
import { formatMoment } from '../../text/formats.ts';
import { scheduleWords } from './scheduleWords.ts';

test('schedules are words, in the time zone that they name', () => {
  expect(scheduleWords('DTSTART;TZID=Europe/Berlin:20300101T023000\nRRULE:FREQ=DAILY')).toBe(
    'Every day from Jan 1, 2030, 2:30 AM (Europe/Berlin)',
  );
  expect(scheduleWords('DTSTART:20300101T023000Z\nRRULE:FREQ=HOURLY;INTERVAL=4')).toBe(
    `Every 4 hours from ${formatMoment('2030-01-01T02:30:00Z')}`,
  );
});

test.each([
  'DTSTART:20300101T023000Z\nRRULE:FREQ=WEEKLY;BYDAY=MO',
  'DTSTART:20300101T023000Z\nRRULE:FREQ=SECONDLY',
  'DTSTART:20301399T023000Z\nRRULE:FREQ=DAILY',
  '<b>RRULE</b>',
  '',
])('a rule that says more, or nothing, has no words: %j', (rule) => {
  expect(scheduleWords(rule)).toBeUndefined();
});
