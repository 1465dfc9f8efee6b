/** Times and spans of time, as far as the queries of this field use them: `docs/cypher.md`. */
import { Special } from './values.ts';

const MICROSECONDS_PER_DAY = 86_400_000_000;

export abstract class TemporalValue extends Special {
  /** Place among the temporal types in ORDER BY. */
  abstract readonly rank: number;
  /** Equal for equal values of one type. */
  abstract readonly key: string;
  abstract override toString(): string;
  /** @returns nothing for an unknown component */
  abstract component(name: string): number | string | undefined;
  /** @returns null for another type */
  abstract compare(other: TemporalValue): number | null;
  /** @returns what the text says, as a value of this type; nothing when it says none */
  abstract parseLike(text: string): TemporalValue | undefined;

  equals(other: TemporalValue): boolean {
    return this.rank === other.rank && this.key === other.key;
  }
}

/** A moment: microseconds since the epoch, exactly, in UTC. */
export class DateTime extends TemporalValue {
  readonly rank = 0;
  readonly microseconds: number;

  constructor(microseconds: number) {
    super();
    this.microseconds = microseconds;
  }

  static parse(text: string): DateTime | undefined {
    const match =
      /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d(?::?\d\d)?)?)?(?:\[[^\]]*\])?$/.exec(
        text,
      );
    if (match === null) return undefined;
    const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match;
    const offset =
      zone === 'Z' ? 'Z' : zone.length === 3 ? `${zone}:00` : `${zone.slice(0, 3)}:${zone.slice(-2)}`;
    const milliseconds = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`);
    if (Number.isNaN(milliseconds)) return undefined;
    return new DateTime(milliseconds * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6)));
  }

  get key(): string {
    return String(this.microseconds);
  }

  get #date(): globalThis.Date {
    return new globalThis.Date(Math.floor(this.microseconds / 1000));
  }

  override toString(): string {
    const fraction = ((this.microseconds % 1_000_000) + 1_000_000) % 1_000_000;
    const text = this.#date.toISOString().slice(0, 19);
    return fraction === 0 ? `${text}Z` : `${text}.${String(fraction).padStart(6, '0').replace(/0+$/, '')}Z`;
  }

  component(name: string): number | string | undefined {
    const date = this.#date;
    switch (name.toLowerCase()) {
      case 'epochseconds':
        return Math.floor(this.microseconds / 1_000_000);
      case 'epochmillis':
        return Math.floor(this.microseconds / 1000);
      case 'hour':
        return date.getUTCHours();
      case 'minute':
        return date.getUTCMinutes();
      case 'second':
        return date.getUTCSeconds();
      case 'millisecond':
        return date.getUTCMilliseconds();
      case 'microsecond':
        return ((this.microseconds % 1_000_000) + 1_000_000) % 1_000_000;
      case 'timezone':
      case 'offset':
        return 'Z';
      default:
        return dateComponent(date, name);
    }
  }

  compare(other: TemporalValue): number | null {
    return other instanceof DateTime ? this.microseconds - other.microseconds : null;
  }

  parseLike(text: string): DateTime | undefined {
    return DateTime.parse(text);
  }

  plus({ months, days, microseconds }: Duration): DateTime {
    const date = this.#date;
    const rest = this.microseconds - date.getTime() * 1000;
    const moved = addMonths(date, months).getTime() * 1000 + rest;
    return new DateTime(moved + days * MICROSECONDS_PER_DAY + microseconds);
  }
}

/** A day, without a time. */
export class CalendarDate extends TemporalValue {
  readonly rank = 2;
  /** Since the epoch. */
  readonly day: number;

  constructor(day: number) {
    super();
    this.day = day;
  }

  static parse(text: string): CalendarDate | undefined {
    const match = /^(\d{4})(?:-?(\d\d)(?:-?(\d\d))?)?$/.exec(text);
    if (match === null) return undefined;
    const milliseconds = Date.parse(`${match[1]}-${match[2] ?? '01'}-${match[3] ?? '01'}T00:00:00Z`);
    return Number.isNaN(milliseconds) ? undefined : new CalendarDate(milliseconds / 86_400_000);
  }

  get key(): string {
    return String(this.day);
  }

  get #date(): globalThis.Date {
    return new globalThis.Date(this.day * 86_400_000);
  }

  override toString(): string {
    return this.#date.toISOString().slice(0, 10);
  }

  component(name: string): number | undefined {
    return dateComponent(this.#date, name);
  }

  compare(other: TemporalValue): number | null {
    return other instanceof CalendarDate ? this.day - other.day : null;
  }

  parseLike(text: string): CalendarDate | undefined {
    return CalendarDate.parse(text);
  }

  plus({ months, days, microseconds }: Duration): CalendarDate {
    const moved = addMonths(this.#date, months).getTime() / 86_400_000;
    return new CalendarDate(moved + days + Math.trunc(microseconds / MICROSECONDS_PER_DAY));
  }
}

/** Months, days and time are kept apart: a month has no fixed number of days. */
export class Duration extends TemporalValue {
  readonly rank = 5;
  readonly months: number;
  readonly days: number;
  readonly microseconds: number;

  constructor(months: number, days: number, microseconds: number) {
    super();
    this.months = months;
    this.days = days;
    this.microseconds = microseconds;
  }

  static parse(text: string): Duration | undefined {
    const number = '(-?\\d+(?:[.,]\\d+)?)';
    const pattern = new RegExp(
      `^([+-]?)P(?:${number}Y)?(?:${number}M)?(?:${number}W)?(?:${number}D)?(?:T(?:${number}H)?(?:${number}M)?(?:${number}S)?)?$`,
      'i',
    );
    const match = pattern.exec(text);
    if (match === null || match.slice(2).every((part) => part === undefined)) return undefined;
    const sign = match[1] === '-' ? -1 : 1;
    const [years, months, weeks, days, hours, minutes, seconds] = match
      .slice(2)
      .map((part) => sign * Number((part ?? '0').replace(',', '.')));
    return Duration.of({ years, months, weeks, days, hours, minutes, seconds });
  }

  /** Fractions go to the next smaller part; a month has 30.436875 days then. */
  static of(parts: Readonly<Record<string, number>>): Duration {
    const { years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0 } = parts;
    const { milliseconds = 0, microseconds = 0 } = parts;
    const allMonths = years * 12 + months;
    const wholeMonths = Math.trunc(allMonths);
    const allDays = weeks * 7 + days + (allMonths - wholeMonths) * 30.436875;
    const wholeDays = Math.trunc(allDays);
    const time = hours * 3600 + minutes * 60 + seconds + (allDays - wholeDays) * 86_400;
    return new Duration(
      wholeMonths,
      wholeDays,
      Math.round(time * 1_000_000 + milliseconds * 1000 + microseconds),
    );
  }

  static readonly units = [
    'years',
    'months',
    'weeks',
    'days',
    'hours',
    'minutes',
    'seconds',
    'milliseconds',
    'microseconds',
  ];

  get key(): string {
    return `${this.months} ${this.days} ${this.microseconds}`;
  }

  override toString(): string {
    const part = (value: number, unit: string): string => (value === 0 ? '' : `${value}${unit}`);
    const seconds = this.microseconds / 1_000_000;
    const wholeMinutes = Math.trunc(seconds / 60);
    const date = part(Math.trunc(this.months / 12), 'Y') + part(this.months % 12, 'M') + part(this.days, 'D');
    const rest = (this.microseconds - wholeMinutes * 60_000_000) / 1_000_000;
    const time = part(Math.trunc(wholeMinutes / 60), 'H') + part(wholeMinutes % 60, 'M') + part(rest, 'S');
    if (date === '' && time === '') return 'PT0S';
    return `P${date}${time === '' ? '' : `T${time}`}`;
  }

  component(name: string): number | undefined {
    const seconds = Math.trunc(this.microseconds / 1_000_000);
    switch (name.toLowerCase()) {
      case 'years':
        return Math.trunc(this.months / 12);
      case 'months':
        return this.months;
      case 'weeks':
        return Math.trunc(this.days / 7);
      case 'days':
        return this.days;
      case 'hours':
        return Math.trunc(seconds / 3600);
      case 'minutes':
        return Math.trunc(seconds / 60);
      case 'seconds':
        return seconds;
      case 'milliseconds':
        return Math.trunc(this.microseconds / 1000);
      default:
        return undefined;
    }
  }

  compare(): null {
    return null;
  }

  parseLike(text: string): Duration | undefined {
    return Duration.parse(text);
  }

  times(factor: number): Duration {
    return Duration.of({
      months: this.months * factor,
      days: this.days * factor,
      microseconds: this.microseconds * factor,
    });
  }

  plus(other: Duration, sign = 1): Duration {
    return new Duration(
      this.months + sign * other.months,
      this.days + sign * other.days,
      this.microseconds + sign * other.microseconds,
    );
  }
}

function dateComponent(date: globalThis.Date, name: string): number | undefined {
  switch (name.toLowerCase()) {
    case 'year':
      return date.getUTCFullYear();
    case 'month':
      return date.getUTCMonth() + 1;
    case 'quarter':
      return Math.floor(date.getUTCMonth() / 3) + 1;
    case 'day':
      return date.getUTCDate();
    case 'dayofweek':
    case 'weekday':
      return date.getUTCDay() || 7;
    default:
      return undefined;
  }
}

/** The 31st of January and one month is the last of February. */
function addMonths(date: globalThis.Date, months: number): globalThis.Date {
  const moved = new globalThis.Date(date);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const last = new globalThis.Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(date.getUTCDate(), last));
  return moved;
}

export const microsecondsPerDay = MICROSECONDS_PER_DAY;
