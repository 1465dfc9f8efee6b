/**
 * Days of the proleptic Gregorian calendar as numbers, counted from 1970-01-01, and weeks as ISO 8601 counts them.
 * `Temporal` does the arithmetic. It ends at the year 275,760, and openCypher goes to 999,999,999: the calendar repeats
 * every 400 years, so each date is calculated at its place in the cycle that begins with the epoch.
 */
import { Temporal } from 'temporal-polyfill';
import { CypherError } from '../../cypherError.ts';

export const SECONDS_PER_DAY = 86_400;
export const NANOSECONDS = 1_000_000_000;
/** Years that a date may have, to both sides, as openCypher has it. */
export const MAX_YEAR = 999_999_999;

export interface CivilDate {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;
}

/** @returns the remainder with the sign of the divisor */
export const modulo = (value: number, by: number): number => ((value % by) + by) % by;

const YEARS_PER_CYCLE = 400;
/** Whole weeks, so that weekdays and the numbers of weeks repeat, too. */
const DAYS_PER_CYCLE = 146_097;
const EPOCH = new Temporal.PlainDate(1970, 1, 1);

/** A date of the first cycle, and how many cycles after it the meant date is. */
interface PlacedDate {
  readonly date: Temporal.PlainDate;
  readonly cycles: number;
}

/** @throws CypherError for a number that does not count exactly */
function checkExact(count: number): void {
  if (!Number.isSafeInteger(count))
    throw new CypherError('value', 'a date is farther from today than dates can be');
}

/** @throws CypherError for a number of days that is not exact */
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

/** @param day may be beyond the month: it counts on */
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
  // The calendar of ISO 8601 numbers all weeks.
  const [weekYear, week] = [date.yearOfWeek as number, date.weekOfYear as number];
  return { weekYear: weekYear + cycles * YEARS_PER_CYCLE, week };
}

/** @returns the Monday of the first week of a year: the week of its 4th of January */
export function firstWeek(weekYear: number): number {
  const fourth = dayOf(weekYear, 1, 4);
  return fourth - weekday(fourth) + 1;
}

export const weeksOfYear = (weekYear: number): number => (firstWeek(weekYear + 1) - firstWeek(weekYear)) / 7;

/** The 31st of January and one month is the last of February. */
export function addMonths(epochDay: number, months: number): number {
  if (months === 0) return epochDay;
  checkExact(months);
  const { date, cycles } = placedDate(epochDay);
  const moved = Math.floor(months / (12 * YEARS_PER_CYCLE));
  const rest = date.add({ months: months - moved * 12 * YEARS_PER_CYCLE });
  return epochDayOf({ date: rest, cycles: cycles + moved });
}
