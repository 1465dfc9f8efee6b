/** Tests in addition to openCypher's scenarios (`tck.test.ts`): the platform's calendar as a twin, changes of the clock, hostile texts. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryGraph } from '../../../test/memoryGraph.ts';
import { runQuery } from '../../runQuery.ts';
import { addMonths, civilDate, dayOf, daysOfMonth, weekday, weekOf } from './calendar.ts';
import { Duration } from './duration.ts';
import { TemporalInstant } from './instant.ts';
import type { InstantType } from './instantTypes.ts';
import { parseOffset, parseZone, type Zone } from './zones.ts';

const graph = memoryGraph([], []);
const value = (expression: string): string =>
  String(runQuery(`RETURN ${expression} AS value`, graph).rows[0][0]);
const failure = (expression: string): string => {
  try {
    return `no error: ${value(expression)}`;
  } catch (error) {
    return (error as Error).message;
  }
};

/** Days that the platform's dates reach. */
const days = fc.integer({ min: -50_000_000, max: 50_000_000 });
const ZONES = [
  'Europe/Stockholm',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Monrovia',
];

describe('the calendar', () => {
  test('has the same days as the platform', () => {
    fc.assert(
      fc.property(days, (day) => {
        const date = new Date(day * 86_400_000);
        const civil = civilDate(day);
        expect(civil).toEqual({
          year: date.getUTCFullYear(),
          month: date.getUTCMonth() + 1,
          day: date.getUTCDate(),
        });
        expect(dayOf(civil.year, civil.month, civil.day)).toBe(day);
        expect(weekday(day)).toBe(date.getUTCDay() || 7);
      }),
    );
  });

  test('counts weeks of seven days, the first with January 4', () => {
    fc.assert(
      fc.property(days, (day) => {
        const monday = day - weekday(day) + 1;
        for (let at = 0; at < 7; at++) expect(weekOf(monday + at)).toEqual(weekOf(day));
        const { weekYear, week } = weekOf(day);
        expect(weekOf(dayOf(weekYear, 1, 4) + (week - 1) * 7)).toEqual({ weekYear, week });
      }),
    );
  });

  test('repeats every 400 years, up to the limit of openCypher', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: -2_000_000, max: 2_000_000 }), (day, cycles) => {
        const far = day + cycles * 146_097;
        const [near, there] = [civilDate(day), civilDate(far)];
        expect(there).toEqual({ ...near, year: near.year + cycles * 400 });
        expect(dayOf(there.year, there.month, there.day)).toBe(far);
        expect(weekday(far)).toBe(weekday(day));
      }),
    );
  });

  test('rejects days beyond the exact integers', () => {
    expect(failure("date('2026-01-01') + duration({days: 1e17})")).toContain('out of range');
    expect(failure("datetime('2026-01-01') + duration({months: 1e17})")).toContain('out of range');
    expect(failure("date('2026-01-01') + duration({days: 1e300})")).toContain('a duration is too long');
  });

  test('adds months to the day, or to the last day of a shorter month', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: -30_000, max: 30_000 }), (day, months) => {
        const [before, after] = [civilDate(day), civilDate(addMonths(day, months))];
        expect((after.year - before.year) * 12 + after.month - before.month).toBe(months);
        expect(after.day).toBe(Math.min(before.day, daysOfMonth(after.year, after.month)));
      }),
    );
  });
});

describe('zones', () => {
  const moments = fc.integer({ min: Date.UTC(1900, 0) / 1000, max: Date.UTC(2040, 0) / 1000 });

  test('show a moment like the platform, and convert it back', () => {
    fc.assert(
      fc.property(moments, fc.constantFrom(...ZONES), (moment, name) => {
        const shown = TemporalInstant.ofEpoch(moment, 0, parseZone(name) as Zone);
        const platform = new Date(moment * 1000).toLocaleString('sv-SE', { timeZone: name });
        const text = String(shown);
        expect(text.slice(0, 16).replace('T', ' ')).toBe(platform.slice(0, 16));
        expect(TemporalInstant.parse('datetime', text)?.epochSeconds).toBe(moment);
        expect(TemporalInstant.parse('datetime', text)?.toString()).toBe(text);
      }),
    );
  });

  test('have hours that occur twice, and hours that do not exist', () => {
    const at = (text: string) => value(`datetime('${text}')`);
    expect(at('2017-10-29T02:30[Europe/Stockholm]')).toBe('2017-10-29T02:30+02:00[Europe/Stockholm]');
    expect(at('2017-10-29T02:30+01:00[Europe/Stockholm]')).toBe('2017-10-29T02:30+01:00[Europe/Stockholm]');
    expect(at('2017-03-26T02:30[Europe/Stockholm]')).toBe('2017-03-26T03:30+02:00[Europe/Stockholm]');
    expect(value("datetime('2017-10-28T12:00[Europe/Stockholm]') + duration('P1D')")).toBe(
      '2017-10-29T12:00+01:00[Europe/Stockholm]',
    );
    expect(value("datetime('2017-10-28T12:00[Europe/Stockholm]') + duration('PT24H')")).toBe(
      '2017-10-29T11:00+01:00[Europe/Stockholm]',
    );
  });

  test('are rejected by unknown names', () => {
    for (const name of ['Nowhere/X', '', '../etc', 'x'.repeat(1000), '+25:00', '+01:60'])
      expect(parseZone(name)).toBeUndefined();
    expect(parseOffset('-00:00')).toBe(0);
    expect(failure("datetime({year: 2026, timezone: 'Nowhere/X'})")).toContain('Nowhere/X');
  });
});

describe('texts', () => {
  const TYPES: readonly InstantType[] = ['datetime', 'localdatetime', 'date', 'time', 'localtime'];
  const instants = fc
    .record({
      type: fc.constantFrom(...TYPES),
      day: days,
      second: fc.integer({ min: 0, max: 86_399 }),
      nanosecond: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 999_999_999 })),
      zone: fc.integer({ min: -1080, max: 1080 }).map((minutes) => offsetOf(minutes)),
    })
    .map(({ type, ...parts }) => new TemporalInstant(type, parts));
  const offsetOf = (minutes: number): Zone => {
    const two = (part: number): string => String(Math.floor(part)).padStart(2, '0');
    const size = Math.abs(minutes);
    return parseZone(`${minutes < 0 ? '-' : '+'}${two(size / 60)}:${two(size % 60)}`) as Zone;
  };

  test('convert to their parts and back', () => {
    fc.assert(
      fc.property(instants, (instant) => {
        const again = TemporalInstant.parse(instant.type, String(instant));
        expect(again?.key).toBe(instant.key);
        expect(again?.toString()).toBe(instant.toString());
      }),
    );
    const amounts = fc.tuple(
      fc.integer({ min: -100_000, max: 100_000 }),
      fc.integer({ min: -1_000_000, max: 1_000_000 }),
      fc.integer({ min: -1_000_000, max: 1_000_000 }),
      fc.integer({ min: 0, max: 999_999_999 }),
    );
    fc.assert(
      fc.property(amounts, (parts) => {
        const span = new Duration(...parts);
        expect(Duration.parse(String(span))?.key).toBe(span.key);
        expect(span.plus(span.negated).key).toBe(new Duration(0, 0, 0).key);
        expect(span.plus(new Duration(0, 0, 0, 1)).key).not.toBe(span.key);
      }),
    );
  });

  test('without a time are rejected', () => {
    for (const text of ['2026-13-01', '2026-02-29', '2026-W54', '2026-366', '26-01-01', '', 'now', '2026-'])
      expect(TemporalInstant.parse('date', text)?.toString()).toBeUndefined();
    for (const text of ['24:00', '12:60', '12:00:60', '1', '12:00+19:00', '12:00[Mars/Base]'])
      expect(TemporalInstant.parse('time', text)).toBeUndefined();
    for (const text of ['P', 'PT', '1D', 'P1', `P${'9'.repeat(400)}D`])
      expect(Duration.parse(text)).toBeUndefined();
    expect(failure("date('2026-02-29')")).toContain('2026-02-29');
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), fc.constantFrom(...TYPES), (text, type) => {
        TemporalInstant.parse(type, text);
        Duration.parse(text);
      }),
    );
  });
});

describe('a duration', () => {
  test.each([
    ['P1Y2M3DT4H5M6.7S', 'P1Y2M3DT4H5M6.7S'],
    ['P0.5M', 'P15DT5H14M33S'],
    ['P1W', 'P7D'],
    ['P-1M1D', 'P-1M1D'],
    ['PT-1.5S', 'PT-1.5S'],
    ['PT-0.5S', 'PT-0.5S'],
    ['-PT1H30M', 'PT-1H-30M'],
    ['PT59.999999999S', 'PT59.999999999S'],
    ['PT60S', 'PT1M'],
    ['P2012-02-02T14:37:21.545', 'P2012Y2M2DT14H37M21.545S'],
    ['P2012-02-02', 'P2012Y2M2D'],
    ['PT0S', 'PT0S'],
  ])('%s is shown as %s', (text, shown) => {
    expect(Duration.parse(text)?.toString()).toBe(shown);
  });

  test('has components, whole ones and the remainder within the next larger one', () => {
    const span = new Duration(29, 17, 7384, 123_456_789);
    const names = [
      ...['years', 'quarters', 'quartersOfYear', 'months', 'monthsOfYear', 'monthsOfQuarter'],
      ...['weeks', 'days', 'daysOfWeek', 'hours', 'minutes', 'minutesOfHour', 'seconds', 'secondsOfMinute'],
      ...['milliseconds', 'millisecondsOfSecond', 'microseconds', 'microsecondsOfSecond', 'nanoseconds'],
      ...['nanosecondsOfSecond', 'decades'],
    ];
    expect(names.map((name) => span.component(name))).toEqual([
      ...[2, 9, 1, 29, 5, 2],
      ...[2, 17, 3, 2, 123, 3, 7384, 4],
      ...[7_384_123, 123, 7_384_123_456, 123_456, 7_384_123_456_789],
      ...[123_456_789, undefined],
    ]);
  });

  test('carries nanoseconds into seconds, in both directions', () => {
    const parts = ({ seconds, nanoseconds }: Duration) => [seconds, nanoseconds];
    expect(parts(new Duration(0, 0, 1, 2_500_000_000))).toEqual([3, 500_000_000]);
    expect(parts(new Duration(0, 0, 1, -1))).toEqual([0, 999_999_999]);
    expect(parts(new Duration(0, 0, 0, 1_000_000_000))).toEqual([1, 0]);
  });

  test('is multiplied part by part, and fractions carry over to the next smaller part', () => {
    expect(new Duration(1, 0, 0).times(0.5).toString()).toBe('P15DT5H14M33S');
    expect(new Duration(0, 3, 60, 500_000_000).times(-2).toString()).toBe('P-6DT-2M-1S');
  });

  test('is ordered by its length, with 30.436875 days per month', () => {
    const order = (a: Duration, b: Duration) => Math.sign(a.order(b));
    expect(order(new Duration(1, 0, 0), new Duration(0, 30, 0))).toBe(1);
    expect(order(new Duration(1, 0, 0), new Duration(0, 31, 0))).toBe(-1);
    expect(order(new Duration(0, 1, 0), new Duration(0, 0, 86_400))).toBe(0);
    expect(order(new Duration(0, 0, 1), new Duration(0, 0, 1, 1))).toBe(-1);
  });
});

describe('a duration between two times', () => {
  const locals = fc.record({
    day: fc.integer({ min: -100_000, max: 100_000 }),
    second: fc.integer({ min: 0, max: 86_399 }),
  });

  test('added to the first one gives the second', () => {
    fc.assert(
      fc.property(locals, locals, (a, b) => {
        const [first, second] = [a, b].map((parts) => new TemporalInstant('localdatetime', parts));
        for (const name of ['between', 'inSeconds'])
          expect(
            value(
              `localdatetime('${first}') + duration.${name}(localdatetime('${first}'), localdatetime('${second}'))`,
            ),
          ).toBe(String(second));
      }),
    );
  });
});

describe('components', () => {
  test.each([
    ['date({year: 2026, month: 2, day: 29})', 'day of date() is 1 to 28'],
    ['date({year: 2025, week: 53})', 'week of date() is 1 to 52'],
    ['date({month: 2})', 'needs a year'],
    ['date({year: 2026, hour: 2})', 'no component hour'],
    ["date({year: '2026'})", 'cannot be a string'],
    ['time({hour: 24})', 'hour of time() is 0 to 23'],
    ["date(time('12:00'))", 'does not work on a time'],
    ["date.truncate('hour', date())", 'cannot cut'],
    ["time.truncate('week', time())", 'cannot cut'],
    ['duration({fortnights: 2})', 'unit fortnights'],
    ['datetime.fromEpoch(1.5)', 'does not work on a float'],
  ])('%s is rejected', (expression, message) => {
    expect(failure(expression)).toContain(message);
  });

  test('that are null make a null time', () => {
    for (const expression of [
      'datetime({epochSeconds: null})',
      'date({year: 2026, month: null})',
      'duration({days: null})',
      'duration.between(date({year: null}), date())',
      'date() + duration({days: null})',
    ])
      expect(value(expression)).toBe('null');
  });

  test('of the present moment, in a zone', () => {
    const now = Date.UTC(2026, 10, 23, 22, 30);
    const [row] = runQuery(
      "RETURN date(), date({timezone: 'Asia/Tokyo'}), localtime('22:30') = localtime(), datetime().epochMillis, timestamp()",
      graph,
      { now },
    ).rows;
    expect(row.map(String)).toEqual(['2026-11-23', '2026-11-24', 'true', String(now), String(now)]);
  });
});
