/**
 * Days of the proleptic Gregorian calendar as numbers since 1970-01-01, and ISO 8601 weeks. `Temporal` does the
 * arithmetic. It supports years up to 275,760, and openCypher up to 999,999,999. The calendar repeats every 400
 * years, so each date is shifted to the 400-year cycle that begins at the epoch.
 */
import { Temporal } from 'temporal-polyfill';
import { CypherError } from '../../cypherError.ts';

export const SECONDS_PER_DAY = 86_400;
export const NANOSECONDS = 1_000_000_000;
/** Maximum absolute value of years, as in openCypher. */
export const MAX_YEAR = 999_999_999;

export interface CivilDate {
  readonly year: number;
  /** Month, 1 to 12. */
  readonly month: number;
  /** Day of the month, 1 to 31. */
  readonly day: number;
}

/** @returns the remainder, with the sign of the divisor */
export const modulo = (value: number, by: number): number => ((value % by) + by) % by;

const YEARS_PER_CYCLE = 400;
/** A whole number of weeks, so weekdays and week numbers repeat, too. */
const DAYS_PER_CYCLE = 146_097;
const EPOCH = new Temporal.PlainDate(1970, 1, 1);

/** A date of the first cycle, and the number of cycles to add. */
interface PlacedDate {
  readonly date: Temporal.PlainDate;
  readonly cycles: number;
}

/** @throws CypherError for a number beyond the exact integers */
function checkExact(count: number): void {
  if (!Number.isSafeInteger(count)) throw new CypherError('value', 'the date is out of range');
}

/** @throws CypherError for a number of days beyond the exact integers */
function placedDate(epochDay: number): PlacedDate {
  checkExact(epochDay);
  const cycles = Math.floor(epochDay / DAYS_PER_CYCLE);
  return { date: EPOCH.add({ days: epochDay - cycles * DAYS_PER_CYCLE }), cycles };
}

const epochDayOf = ({ date, cycles }: PlacedDate): number => EPOCH.until(date).days + cycles * DAYS_PER_CYCLE;

const firstDayOf = (year: number, month: number): PlacedDate => {
  const cycles = Math.floor((year - EPOCH.year) / YEARS_PER_CYCLE);
  return { date: new Temporal.PlainDate(year - cycles * YEARS_PER_CYCLE, month, 1), cycles };
};

/** @param day may exceed the month, and then continues into the next */
export const dayOf = (year: number, month: number, day: number): number =>
  epochDayOf(firstDayOf(year, month)) + day - 1;

export function civilDate(epochDay: number): CivilDate {
  const { date, cycles } = placedDate(epochDay);
  return { year: date.year + cycles * YEARS_PER_CYCLE, month: date.month, day: date.day };
}

export const daysOfMonth = (year: number, month: number): number => firstDayOf(year, month).date.daysInMonth;

export const daysOfYear = (year: number): number => firstDayOf(year, 1).date.daysInYear;

/** @returns 1 for Monday to 7 for Sunday */
export const weekday = (epochDay: number): number => placedDate(epochDay).date.dayOfWeek;

export function weekOf(epochDay: number): { readonly weekYear: number; readonly week: number } {
  const { date, cycles } = placedDate(epochDay);
  // The ISO 8601 calendar has numbers for all weeks.
  const [weekYear, week] = [date.yearOfWeek as number, date.weekOfYear as number];
  return { weekYear: weekYear + cycles * YEARS_PER_CYCLE, week };
}

/** @returns the Monday of the first week of a year: the week that contains January 4 */
export function firstWeek(weekYear: number): number {
  const fourth = dayOf(weekYear, 1, 4);
  return fourth - weekday(fourth) + 1;
}

export const weeksOfYear = (weekYear: number): number => (firstWeek(weekYear + 1) - firstWeek(weekYear)) / 7;

/**
 * Adds months; the day is clamped to the length of the month, so January 31 plus one month is the last day of
 * February.
 */
export function addMonths(epochDay: number, months: number): number {
  if (months === 0) return epochDay;
  checkExact(months);
  const { date, cycles } = placedDate(epochDay);
  const moved = Math.floor(months / (12 * YEARS_PER_CYCLE));
  const rest = date.add({ months: months - moved * 12 * YEARS_PER_CYCLE });
  return epochDayOf({ date: rest, cycles: cycles + moved });
}
