/**
 * Days of the proleptic Gregorian calendar as numbers, counted from 1970-01-01, and weeks as ISO 8601 counts them. Our own:
 * Node has no `Temporal` yet, and implementations of it end at the year 275,760 and know no time of day with an offset,
 * where openCypher goes to 999,999,999 and has one.
 */

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

const DAYS_PER_ERA = 146_097;
const DAYS_TO_EPOCH = 719_468;

/** Years begin in March here, so that the day of a leap year is the last one. */
export function dayOf(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - DAYS_TO_EPOCH;
}

export function civilDate(epochDay: number): CivilDate {
  const shifted = epochDay + DAYS_TO_EPOCH;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  };
}

export const daysOfMonth = (year: number, month: number): number =>
  month === 12 ? 31 : dayOf(year, month + 1, 1) - dayOf(year, month, 1);

export const daysOfYear = (year: number): number => dayOf(year + 1, 1, 1) - dayOf(year, 1, 1);

/** @returns 1 for Monday to 7 for Sunday */
export const weekday = (epochDay: number): number => modulo(epochDay + 3, 7) + 1;

/** @returns the Monday of the first week of a year: the week of its 4th of January */
export function firstWeek(weekYear: number): number {
  const fourth = dayOf(weekYear, 1, 4);
  return fourth - weekday(fourth) + 1;
}

export const weeksOfYear = (weekYear: number): number => (firstWeek(weekYear + 1) - firstWeek(weekYear)) / 7;

export function weekOf(epochDay: number): { readonly weekYear: number; readonly week: number } {
  // The Thursday of a week is in the year that the week belongs to.
  const weekYear = civilDate(epochDay - weekday(epochDay) + 4).year;
  return { weekYear, week: Math.floor((epochDay - firstWeek(weekYear)) / 7) + 1 };
}

/** The 31st of January and one month is the last of February. */
export function addMonths(epochDay: number, months: number): number {
  if (months === 0) return epochDay;
  const { year, month, day } = civilDate(epochDay);
  const all = year * 12 + month - 1 + months;
  const [newYear, newMonth] = [Math.floor(all / 12), modulo(all, 12) + 1];
  return dayOf(newYear, newMonth, Math.min(day, daysOfMonth(newYear, newMonth)));
}
