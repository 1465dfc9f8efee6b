/** Builds dates and times from components or from other dates and times: `date({year: 2026, week: 2})`. */
import { CypherError } from '../../cypherError.ts';
import { isInteger, isMap, typeName, type Value, type ValueMap } from '../values.ts';
import {
  civilDate,
  dayOf,
  daysOfMonth,
  daysOfYear,
  firstWeek,
  MAX_YEAR,
  weekday,
  weekOf,
  weeksOfYear,
} from './calendar.ts';
import { TemporalInstant } from './instant.ts';
import { type InstantType, PARTS } from './instantTypes.ts';
import { parseZone, UTC, type Zone } from './zones.ts';

const DAY_COMPONENTS = ['year', 'quarter', 'month', 'week', 'day', 'ordinalday', 'dayofweek', 'dayofquarter'];
const TIME_COMPONENTS = ['hour', 'minute', 'second', 'millisecond', 'microsecond', 'nanosecond'];
const EPOCH_COMPONENTS = ['epochseconds', 'epochmillis'];
const SOURCES = ['date', 'time', 'datetime'];

/** Components by lower-case name. */
class Components {
  readonly #type: InstantType;
  readonly #values: ReadonlyMap<string, Value>;

  constructor(type: InstantType, map: ValueMap) {
    this.#type = type;
    this.#values = new Map(Object.entries(map).map(([key, value]) => [key.toLowerCase(), value]));
    const has = PARTS[type];
    const known = new Set([
      ...SOURCES,
      ...(has.day ? DAY_COMPONENTS : []),
      ...(has.time ? TIME_COMPONENTS : []),
      ...(has.zone ? ['timezone'] : []),
      ...(type === 'datetime' ? EPOCH_COMPONENTS : []),
    ]);
    for (const name of this.#values.keys())
      if (!known.has(name)) throw new CypherError('value', `${type}() has no component ${name.slice(0, 60)}`);
  }

  has(...names: readonly string[]): boolean {
    return names.some((name) => this.#values.has(name));
  }

  /** @throws CypherError for a value that is not an integer, or is out of bounds */
  get<T extends number | undefined>(name: string, otherwise: T, least: number, most: number): number | T {
    const value = this.#values.get(name);
    if (value === undefined) return otherwise;
    if (!isInteger(value)) throw this.misfit(name, value);
    if (value < least || value > most)
      throw new CypherError('value', `${name} of ${this.#type}() is ${least} to ${most}, not ${value}`);
    return value;
  }

  /** @throws CypherError for a value that is not a date or time */
  source(...names: readonly string[]): TemporalInstant | undefined {
    for (const name of names) {
      const value = this.#values.get(name);
      if (value === undefined) continue;
      if (!(value instanceof TemporalInstant)) throw this.misfit(name, value);
      return value;
    }
    return undefined;
  }

  zone(): Zone | undefined {
    const value = this.#values.get('timezone');
    return value === undefined ? undefined : zoneOf(this.#type, value);
  }

  misfit(name: string, value: Value): CypherError {
    return new CypherError('value', `${name} of ${this.#type}() cannot be ${typeName(value)}`);
  }
}

/** @throws CypherError for a value that is not a time zone */
export function zoneOf(type: string, value: Value): Zone {
  if (typeof value !== 'string')
    throw new CypherError('value', `a time zone of ${type}() is a string, not ${typeName(value)}`);
  const zone = parseZone(value);
  if (zone === undefined)
    throw new CypherError(
      'value',
      `${type}() does not know the time zone ${JSON.stringify(value.slice(0, 60))}`,
    );
  return zone;
}

/** Implements `date(value)` and similar functions. @throws CypherError for values that cannot be converted */
export function instantOf(type: InstantType, value: NonNullable<Value>): TemporalInstant {
  if (typeof value === 'string') {
    const parsed = TemporalInstant.parse(type, value);
    if (parsed !== undefined) return parsed;
    throw new CypherError('value', `${type}() cannot read ${JSON.stringify(value.slice(0, 60))}`);
  }
  if (value instanceof TemporalInstant) {
    needParts(type, value);
    return new TemporalInstant(type, value);
  }
  if (!isMap(value)) throw new CypherError('value', `${type}() does not work on ${typeName(value)}`);
  return ofComponents(type, value);
}

/** @throws CypherError if the value lacks the date or the time that the type needs */
function needParts(type: InstantType, value: TemporalInstant): void {
  const [wanted, has] = [PARTS[type], PARTS[value.type]];
  if ((wanted.day && !has.day) || (wanted.time && !has.time && !wanted.day))
    throw new CypherError('value', `${type}() does not work on a ${value.type}`);
}

/** @throws CypherError for components that the type does not have, or that are inconsistent */
export function ofComponents(type: InstantType, map: ValueMap): TemporalInstant {
  const parts = new Components(type, map);
  const has = PARTS[type];
  const zone = parts.zone();
  if (parts.has(...EPOCH_COMPONENTS)) return ofEpoch(parts, zone);
  const timeSource = has.time ? parts.source('time', 'datetime') : undefined;
  const day = has.day ? dayOfComponents(type, parts) : 0;
  const time = has.time ? timeOfComponents(parts, timeSource) : {};
  if (!has.zone) return new TemporalInstant(type, { day, ...time });
  const own = timeSource !== undefined && PARTS[timeSource.type].zone ? timeSource : undefined;
  if (own === undefined) return new TemporalInstant(type, { day, ...time, zone: zone ?? UTC });
  const isSameDay = !has.day || own.day === day;
  // A time without a day keeps its offset; with a day, the zone determines it.
  const offset = own.zone.name === undefined || !has.day || isSameDay ? own.offset : undefined;
  const made = new TemporalInstant(type, { day, ...time, zone: own.zone, offset });
  return zone === undefined ? made : made.inZone(zone);
}

function ofEpoch(parts: Components, zone: Zone | undefined): TemporalInstant {
  const most = 3.2e16;
  const milliseconds = parts.get('epochmillis', undefined, -most, most);
  const nanosecond = subsecond(parts, 0);
  if (milliseconds !== undefined) {
    const seconds = Math.floor(milliseconds / 1000);
    return TemporalInstant.ofEpoch(seconds, (milliseconds - seconds * 1000) * 1_000_000 + nanosecond, zone);
  }
  return TemporalInstant.ofEpoch(parts.get('epochseconds', 0, -most, most), nanosecond, zone);
}

/**
 * Components of different ways to name a day cannot be mixed. Missing components are taken from the source, or
 * default to the first.
 */
function dayOfComponents(type: InstantType, parts: Components): number {
  const source = parts.source('date', 'datetime');
  if (source !== undefined) needParts('date', source);
  if (source === undefined && !parts.has('year'))
    throw new CypherError('value', `${type}() needs a year or a date`);
  const base = source === undefined ? undefined : civilDate(source.day);
  const year = (otherwise: number | undefined): number =>
    parts.get('year', otherwise, -MAX_YEAR, MAX_YEAR) as number;
  if (parts.has('week', 'dayofweek')) {
    const known = source === undefined ? undefined : weekOf(source.day);
    const weekYear = year(known?.weekYear);
    const week = parts.get('week', known?.week ?? 1, 1, weeksOfYear(weekYear));
    const day = parts.get('dayofweek', source === undefined ? 1 : weekday(source.day), 1, 7);
    return firstWeek(weekYear) + (week - 1) * 7 + day - 1;
  }
  const ownYear = year(base?.year);
  if (parts.has('ordinalday')) return dayOf(ownYear, 1, parts.get('ordinalday', 1, 1, daysOfYear(ownYear)));
  if (parts.has('quarter', 'dayofquarter')) {
    const quarter = parts.get('quarter', base === undefined ? 1 : Math.ceil(base.month / 3), 1, 4);
    const first = dayOf(ownYear, quarter * 3 - 2, 1);
    if (parts.has('dayofquarter') || base === undefined) {
      const days = dayOf(ownYear, quarter * 3, daysOfMonth(ownYear, quarter * 3)) - first + 1;
      return first + parts.get('dayofquarter', 1, 1, days) - 1;
    }
    const month = quarter * 3 - 2 + ((base.month - 1) % 3);
    return dayOf(ownYear, month, Math.min(base.day, daysOfMonth(ownYear, month)));
  }
  const month = parts.get('month', base?.month ?? 1, 1, 12);
  const most = daysOfMonth(ownYear, month);
  return dayOf(ownYear, month, parts.get('day', Math.min(base?.day ?? 1, most), 1, most));
}

function timeOfComponents(
  parts: Components,
  source: TemporalInstant | undefined,
): { readonly second: number; readonly nanosecond: number } {
  const base = source?.second ?? 0;
  const hour = parts.get('hour', Math.floor(base / 3600), 0, 23);
  const minute = parts.get('minute', Math.floor((base % 3600) / 60), 0, 59);
  const second = parts.get('second', base % 60, 0, 59);
  return {
    second: hour * 3600 + minute * 60 + second,
    nanosecond: subsecond(parts, source?.nanosecond ?? 0),
  };
}

/** Limits each component to the remainder that larger given components leave. */
function subsecond(parts: Components, otherwise: number): number {
  if (!parts.has('millisecond', 'microsecond', 'nanosecond')) return otherwise;
  const hasMillis = parts.has('millisecond');
  const millisecond = parts.get('millisecond', 0, 0, 999);
  const microsecond = parts.get('microsecond', 0, 0, hasMillis ? 999 : 999_999);
  const most = parts.has('microsecond') ? 999 : hasMillis ? 999_999 : 999_999_999;
  return millisecond * 1_000_000 + microsecond * 1000 + parts.get('nanosecond', 0, 0, most);
}
