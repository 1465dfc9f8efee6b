import { CypherError } from '../../cypherError.ts';
import { NANOSECONDS, SECONDS_PER_DAY } from './calendar.ts';
import { TemporalValue } from './temporalValue.ts';

/** Average of the Gregorian calendar: 400 years have 146,097 days. */
const DAYS_PER_MONTH = 30.436875;

/** Maximum of each part, as in other engines. */
const MAX_PART = 2 ** 63;

const SECONDS_OF = { hours: 3600, minutes: 60, seconds: 1 } as const;
const NANOSECONDS_OF = { milliseconds: 1_000_000, microseconds: 1000, nanoseconds: 1 } as const;

export const DURATION_UNITS = [
  ...['years', 'quarters', 'months', 'weeks', 'days'],
  ...['hours', 'minutes', 'seconds', 'milliseconds', 'microseconds', 'nanoseconds'],
];

const NUMBER = '([+-]?\\d{1,15}(?:[.,]\\d{1,9})?)';
const BY_UNITS = new RegExp(
  `^([+-]?)P(?:${NUMBER}Y)?(?:${NUMBER}M)?(?:${NUMBER}W)?(?:${NUMBER}D)?(?:T(?:${NUMBER}H)?(?:${NUMBER}M)?(?:${NUMBER}S)?)?$`,
  'i',
);
const AS_DATE = /^P(\d{1,9})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d(?:[.,]\d{1,9})?))?)?$/i;

/**
 * Months, days and time are separate parts: a month has no fixed number of days, and a day no fixed number of
 * hours.
 */
export class Duration extends TemporalValue {
  readonly rank = 5;
  readonly months: number;
  readonly days: number;
  /** Rounded down; the fraction is in `nanoseconds`. */
  readonly seconds: number;
  /** 0 to 999,999,999. */
  readonly nanoseconds: number;

  constructor(months: number, days: number, seconds: number, nanoseconds = 0) {
    super();
    const carry = Math.floor(nanoseconds / NANOSECONDS);
    this.months = months || 0;
    this.days = days || 0;
    this.seconds = seconds + carry || 0;
    this.nanoseconds = nanoseconds - carry * NANOSECONDS;
    // Repeated additions would otherwise overflow to Infinity.
    if (![this.months, this.days, this.seconds].every((part) => Math.abs(part) < MAX_PART))
      throw new CypherError('value', 'a duration is too long');
  }

  /** Parses `P1Y2M3DT4H5M6.7S`, or the parts of a date and a time: `P2012-02-02T14:37:21.545`. */
  static parse(text: string): Duration | undefined {
    const match = BY_UNITS.exec(text);
    if (match === null) return Duration.#parseDate(text);
    if (match.slice(2).every((part) => part === undefined) || /T$/i.test(text)) return undefined;
    const sign = match[1] === '-' ? -1 : 1;
    const [years, months, weeks, days, hours, minutes, seconds] = match
      .slice(2)
      .map((part) => sign * Number((part ?? '0').replace(',', '.')));
    return Duration.of({ years, months, weeks, days, hours, minutes, seconds });
  }

  static #parseDate(text: string): Duration | undefined {
    const match = AS_DATE.exec(text);
    if (match === null) return undefined;
    const [years, months, days, hours, minutes, seconds] = match
      .slice(1)
      .map((part) => Number((part ?? '0').replace(',', '.')));
    return Duration.of({ years, months, days, hours, minutes, seconds });
  }

  /**
   * Fractions carry over to the next smaller part; a month then has 30.436875 days. Fractions of a nanosecond are
   * dropped.
   */
  static of(parts: Readonly<Record<string, number>>): Duration {
    const { years = 0, quarters = 0, months = 0, weeks = 0, days = 0 } = parts;
    const allMonths = years * 12 + quarters * 3 + months;
    const wholeMonths = Math.trunc(allMonths);
    const allDays = weeks * 7 + days + (allMonths - wholeMonths) * DAYS_PER_MONTH;
    const wholeDays = Math.trunc(allDays);
    let seconds = 0;
    let nanoseconds = 0;
    const add = (value: number, each: number): void => {
      const all = value * each;
      seconds += Math.trunc(all);
      nanoseconds += (all - Math.trunc(all)) * NANOSECONDS;
    };
    add(allDays - wholeDays, SECONDS_PER_DAY);
    for (const unit of ['hours', 'minutes', 'seconds'] as const) add(parts[unit] ?? 0, SECONDS_OF[unit]);
    for (const unit of ['milliseconds', 'microseconds', 'nanoseconds'] as const) {
      const all = (parts[unit] ?? 0) * NANOSECONDS_OF[unit];
      seconds += Math.trunc(all / NANOSECONDS);
      nanoseconds += all % NANOSECONDS;
    }
    // Digits of a floating-point product below the nanosecond are rounding errors.
    return new Duration(wholeMonths, wholeDays, seconds, Math.trunc(Number(nanoseconds.toFixed(3))));
  }

  get key(): string {
    return `${this.months} ${this.days} ${this.seconds} ${this.nanoseconds}`;
  }

  override toString(): string {
    const { months, days } = this;
    const isNegative = this.seconds < 0;
    // Seconds and their fraction have the same sign.
    const seconds = isNegative && this.nanoseconds > 0 ? this.seconds + 1 : this.seconds;
    const fraction = isNegative && this.nanoseconds > 0 ? NANOSECONDS - this.nanoseconds : this.nanoseconds;
    const part = (value: number, unit: string): string => (value === 0 ? '' : `${value}${unit}`);
    const date = part(Math.trunc(months / 12), 'Y') + part(months % 12, 'M') + part(days, 'D');
    const rest = seconds % 60;
    const point = fraction === 0 ? '' : `.${String(fraction).padStart(9, '0').replace(/0+$/, '')}`;
    const shownSeconds = `${isNegative && (rest !== 0 || fraction > 0) ? '-' : ''}${Math.abs(rest)}${point}S`;
    const time =
      part(Math.trunc(seconds / 3600), 'H') +
      part(Math.trunc(seconds / 60) % 60, 'M') +
      (rest === 0 && fraction === 0 ? '' : shownSeconds);
    if (date === '' && time === '') return 'PT0S';
    return `P${date}${time === '' ? '' : `T${time}`}`;
  }

  component(name: string): number | undefined {
    const { months, days, seconds, nanoseconds } = this;
    switch (name.toLowerCase()) {
      case 'years':
        return Math.trunc(months / 12);
      case 'quarters':
        return Math.trunc(months / 3);
      case 'quartersofyear':
        return Math.trunc(months / 3) % 4;
      case 'months':
        return months;
      case 'monthsofyear':
        return months % 12;
      case 'monthsofquarter':
        return months % 3;
      case 'weeks':
        return Math.trunc(days / 7);
      case 'days':
        return days;
      case 'daysofweek':
        return days % 7;
      case 'hours':
        return Math.trunc(seconds / 3600);
      case 'minutes':
        return Math.trunc(seconds / 60);
      case 'minutesofhour':
        return Math.trunc(seconds / 60) % 60;
      case 'seconds':
        return seconds;
      case 'secondsofminute':
        return seconds % 60;
      case 'milliseconds':
        return seconds * 1000 + Math.floor(nanoseconds / 1_000_000);
      case 'millisecondsofsecond':
        return Math.floor(nanoseconds / 1_000_000);
      case 'microseconds':
        return seconds * 1_000_000 + Math.floor(nanoseconds / 1000);
      case 'microsecondsofsecond':
        return Math.floor(nanoseconds / 1000);
      case 'nanoseconds':
        return seconds * NANOSECONDS + nanoseconds;
      case 'nanosecondsofsecond':
        return nanoseconds;
      default:
        return undefined;
    }
  }

  /** Durations are not comparable, because a month may be longer or shorter than 30 days. */
  compare(): null {
    return null;
  }

  order(other: Duration): number {
    return this.#length - other.#length;
  }

  /** Average length in seconds. */
  get #length(): number {
    const days = this.months * DAYS_PER_MONTH + this.days;
    return days * SECONDS_PER_DAY + this.seconds + this.nanoseconds / NANOSECONDS;
  }

  parseLike(text: string): Duration | undefined {
    return Duration.parse(text);
  }

  times(factor: number): Duration {
    return Duration.of({
      months: this.months * factor,
      days: this.days * factor,
      seconds: this.seconds * factor,
      nanoseconds: this.nanoseconds * factor,
    });
  }

  plus(other: Duration): Duration {
    return new Duration(
      this.months + other.months,
      this.days + other.days,
      this.seconds + other.seconds,
      this.nanoseconds + other.nanoseconds,
    );
  }

  get negated(): Duration {
    return new Duration(-this.months, -this.days, -this.seconds, -this.nanoseconds);
  }
}
