import {
  addMonths,
  civilDate,
  dayOf,
  modulo,
  NANOSECONDS,
  SECONDS_PER_DAY,
  weekday,
  weekOf,
} from './calendar.ts';
import type { Duration } from './duration.ts';
import { type InstantType, type InstantValue, PARTS } from './instantTypes.ts';
import { parseInstant } from './parse.ts';
import { TemporalValue } from './temporalValue.ts';
import { offsetText, offsetZone, UTC, type Zone } from './zones.ts';

/**
 * A date or a time: one class for all five types. It stores numbers instead of `Temporal` values, for two reasons.
 * openCypher has years up to 999,999,999 and offsets with seconds, which `Temporal` rejects. And queries compare
 * millions of values: for 100,000 times with a zone, values of the polyfill took 37 times as long to sort, 70
 * times to compare and 48 times to create. `Temporal` does the arithmetic of the calendar (`calendar.ts`) and of
 * named zones (`zones.ts`).
 */
export class TemporalInstant extends TemporalValue {
  readonly type: InstantType;
  readonly day: number;
  readonly second: number;
  readonly nanosecond: number;
  readonly zone: Zone;
  readonly offset: number;

  constructor(type: InstantType, value: InstantValue) {
    super();
    const has = PARTS[type];
    this.type = type;
    this.zone = has.zone ? (value.zone ?? UTC) : UTC;
    this.nanosecond = has.time ? (value.nanosecond ?? 0) : 0;
    const second = has.time ? (value.second ?? 0) : 0;
    const day = has.day ? (value.day ?? 0) : 0;
    if (!has.zone || value.offset !== undefined) {
      this.day = day;
      this.second = second;
      this.offset = has.zone ? (value.offset as number) : 0;
      return;
    }
    const { local, offset } = this.zone.atLocal(day * SECONDS_PER_DAY + second);
    this.day = has.day ? Math.floor(local / SECONDS_PER_DAY) : 0;
    this.second = modulo(local, SECONDS_PER_DAY);
    this.offset = offset;
  }

  /** @returns `undefined` if the text does not have this type; a date may also be read from a date with a time */
  static parse(type: InstantType, text: string): TemporalInstant | undefined {
    const value = parseInstant(type, text);
    if (value === undefined) return undefined;
    const { zone, offset } = value;
    if (zone?.name === undefined || offset === undefined) return new TemporalInstant(type, value);
    // The offset determines the moment; the name is only for display.
    return new TemporalInstant(type, { ...value, zone: offsetZone(offset) }).inZone(zone);
  }

  static ofEpoch(epochSeconds: number, nanosecond = 0, zone: Zone = UTC): TemporalInstant {
    const carry = Math.floor(nanosecond / NANOSECONDS);
    const moment = epochSeconds + carry;
    const offset = zone.offsetAt(moment);
    return new TemporalInstant('datetime', {
      day: Math.floor((moment + offset) / SECONDS_PER_DAY),
      second: modulo(moment + offset, SECONDS_PER_DAY),
      nanosecond: nanosecond - carry * NANOSECONDS,
      zone,
      offset,
    });
  }

  static ofEpochMillis(milliseconds: number, zone: Zone = UTC): TemporalInstant {
    const seconds = Math.floor(milliseconds / 1000);
    return TemporalInstant.ofEpoch(seconds, (milliseconds - seconds * 1000) * 1_000_000, zone);
  }

  get rank(): number {
    return PARTS[this.type].rank;
  }

  /** For a `time`, seconds of the first day. */
  get epochSeconds(): number {
    return this.day * SECONDS_PER_DAY + this.second - this.offset;
  }

  get epochMillis(): number {
    return this.epochSeconds * 1000 + Math.floor(this.nanosecond / 1_000_000);
  }

  get key(): string {
    return `${this.epochSeconds} ${this.nanosecond}`;
  }

  override toString(): string {
    return this.#text(false);
  }

  /** Formats like the function `toString()`, which also writes seconds that are 0. */
  withSeconds(): string {
    return this.#text(true);
  }

  #text(hasSeconds: boolean): string {
    const has = PARTS[this.type];
    const day = has.day ? this.#dayText() : '';
    const time = has.time ? `${has.day ? 'T' : ''}${this.#timeText(hasSeconds)}` : '';
    if (!has.zone) return day + time;
    const name = has.day && this.zone.name !== undefined ? `[${this.zone.name}]` : '';
    return day + time + offsetText(this.offset) + name;
  }

  #dayText(): string {
    const { year, month, day } = civilDate(this.day);
    const sign = year < 0 ? '-' : year > 9999 ? '+' : '';
    const two = (value: number): string => String(value).padStart(2, '0');
    return `${sign}${String(Math.abs(year)).padStart(4, '0')}-${two(month)}-${two(day)}`;
  }

  #timeText(hasSeconds: boolean): string {
    const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
    const minutes = `${two(this.second / 3600)}:${two((this.second % 3600) / 60)}`;
    if (!hasSeconds && this.second % 60 === 0 && this.nanosecond === 0) return minutes;
    const seconds = `${minutes}:${two(this.second % 60)}`;
    if (this.nanosecond === 0) return seconds;
    return `${seconds}.${String(this.nanosecond).padStart(9, '0').replace(/0+$/, '')}`;
  }

  component(name: string): number | string | undefined {
    const key = name.toLowerCase();
    const has = PARTS[this.type];
    return (
      (has.day ? this.#dayComponent(key) : undefined) ??
      (has.time ? this.#timeComponent(key) : undefined) ??
      (has.zone ? this.#zoneComponent(key) : undefined)
    );
  }

  #dayComponent(name: string): number | undefined {
    const { year, month, day } = civilDate(this.day);
    switch (name) {
      case 'year':
        return year;
      case 'quarter':
        return Math.ceil(month / 3);
      case 'month':
        return month;
      case 'week':
        return weekOf(this.day).week;
      case 'weekyear':
        return weekOf(this.day).weekYear;
      case 'day':
        return day;
      case 'ordinalday':
        return this.day - dayOf(year, 1, 1) + 1;
      case 'dayofweek':
      case 'weekday':
        return weekday(this.day);
      case 'dayofquarter':
        return this.day - dayOf(year, Math.ceil(month / 3) * 3 - 2, 1) + 1;
      default:
        return undefined;
    }
  }

  #timeComponent(name: string): number | undefined {
    switch (name) {
      case 'hour':
        return Math.floor(this.second / 3600);
      case 'minute':
        return Math.floor((this.second % 3600) / 60);
      case 'second':
        return this.second % 60;
      case 'millisecond':
        return Math.floor(this.nanosecond / 1_000_000);
      case 'microsecond':
        return Math.floor(this.nanosecond / 1000);
      case 'nanosecond':
        return this.nanosecond;
      default:
        return undefined;
    }
  }

  #zoneComponent(name: string): number | string | undefined {
    switch (name) {
      case 'timezone':
        return this.zone.name ?? offsetText(this.offset);
      case 'offset':
        return offsetText(this.offset);
      case 'offsetminutes':
        return Math.trunc(this.offset / 60);
      case 'offsetseconds':
        return this.offset;
      case 'epochseconds':
        return this.type === 'datetime' ? this.epochSeconds : undefined;
      case 'epochmillis':
        return this.type === 'datetime' ? this.epochMillis : undefined;
      default:
        return undefined;
    }
  }

  compare(other: TemporalValue): number | null {
    return other instanceof TemporalInstant && other.type === this.type ? this.order(other) : null;
  }

  order(other: TemporalInstant): number {
    return this.epochSeconds - other.epochSeconds || this.nanosecond - other.nanosecond;
  }

  parseLike(text: string): TemporalInstant | undefined {
    return TemporalInstant.parse(this.type, text);
  }

  /** @returns the same moment in another zone */
  inZone(zone: Zone): TemporalInstant {
    const moment = TemporalInstant.ofEpoch(this.epochSeconds, this.nanosecond, zone);
    return this.type === 'datetime' ? moment : new TemporalInstant(this.type, moment);
  }

  /** Months and days are added on the calendar, the rest on the clock; a date ignores fractions of days. */
  plus({ months, days, seconds, nanoseconds }: Duration): TemporalInstant {
    const has = PARTS[this.type];
    const day = has.day ? addMonths(this.day, months) + days : 0;
    if (!has.time) {
      // Rounds toward zero, so that a date minus an hour is the same date.
      const rest = seconds < 0 && nanoseconds > 0 ? seconds + 1 : seconds;
      return new TemporalInstant(this.type, { day: day + Math.trunc(rest / SECONDS_PER_DAY) });
    }
    const nanosecond = this.nanosecond + nanoseconds;
    const carry = Math.floor(nanosecond / NANOSECONDS);
    if (this.type === 'datetime') {
      const moved = new TemporalInstant(this.type, { day, second: this.second, zone: this.zone });
      return TemporalInstant.ofEpoch(moved.epochSeconds + seconds, nanosecond, this.zone);
    }
    const second = this.second + seconds + carry;
    return new TemporalInstant(this.type, {
      ...this,
      day: day + Math.floor(second / SECONDS_PER_DAY),
      second: modulo(second, SECONDS_PER_DAY),
      nanosecond: nanosecond - carry * NANOSECONDS,
    });
  }
}
