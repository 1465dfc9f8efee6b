/** Truncates dates and times: `date.truncate('month', value, {day: 2})`. */
import { CypherError } from '../../cypherError.ts';
import { isInteger, type Value, type ValueMap } from '../values.ts';
import { civilDate, dayOf, firstWeek, weekday, weekOf } from './calendar.ts';
import { ofComponents, zoneOf } from './construct.ts';
import { TemporalInstant } from './instant.ts';
import { type InstantType, PARTS } from './instantTypes.ts';

const YEARS_OF: Readonly<Record<string, number>> = { millennium: 1000, century: 100, decade: 10, year: 1 };
/** Seconds per unit. */
const CLOCK_UNITS: Readonly<Record<string, number>> = { day: 86_400, hour: 3600, minute: 60, second: 1 };
/** Nanoseconds per unit. */
const FINE_UNITS: Readonly<Record<string, number>> = { millisecond: 1_000_000, microsecond: 1000 };

/**
 * @param overrides components to set in the truncated value
 * @throws CypherError for a unit that the type or the value does not have
 */
export function truncated(
  type: InstantType,
  unitName: string,
  value: TemporalInstant,
  overrides: ValueMap,
): TemporalInstant {
  const unit = unitName.toLowerCase();
  const [wanted, has] = [PARTS[type], PARTS[value.type]];
  const isOfClock = unit in FINE_UNITS || (unit in CLOCK_UNITS && unit !== 'day');
  const day = isOfClock ? value.day : firstDay(unit, value.day);
  const fits = isOfClock ? wanted.time && has.time : has.day || (unit === 'day' && has.time);
  if (day === undefined || !fits || (wanted.day && !has.day) || (!wanted.day && !isOfClock && unit !== 'day'))
    throw new CypherError(
      'value',
      `${type}.truncate() cannot cut a ${value.type} to ${unitName.slice(0, 60)}`,
    );
  const each = CLOCK_UNITS[unit];
  const second = unit in FINE_UNITS ? value.second : isOfClock ? value.second - (value.second % each) : 0;
  const nanosecond = unit in FINE_UNITS ? value.nanosecond - (value.nanosecond % FINE_UNITS[unit]) : 0;
  const { timezone, ...others } = lowerCased(overrides);
  const zone = timezone === undefined ? value.zone : zoneOf(type, timezone);
  const isSame = timezone === undefined && zone.name === undefined;
  const cut = new TemporalInstant(type, {
    day,
    second,
    nanosecond,
    zone,
    offset: isSame ? value.offset : undefined,
  });
  if (Object.keys(others).length === 0) return cut;
  // Added to the truncated fraction of the second.
  const fine = unit in FINE_UNITS && isInteger(others.nanosecond) ? nanosecond : 0;
  if (fine > 0 && (others.nanosecond as number) >= 0 && (others.nanosecond as number) < FINE_UNITS[unit])
    others.nanosecond = (others.nanosecond as number) + fine;
  const sources: ValueMap = wanted.day ? (wanted.time ? { datetime: cut } : { date: cut }) : { time: cut };
  return ofComponents(type, { ...others, ...sources });
}

function firstDay(unit: string, day: number): number | undefined {
  const { year, month } = civilDate(day);
  if (unit in YEARS_OF) return dayOf(Math.floor(year / YEARS_OF[unit]) * YEARS_OF[unit], 1, 1);
  switch (unit) {
    case 'weekyear':
      return firstWeek(weekOf(day).weekYear);
    case 'quarter':
      return dayOf(year, Math.ceil(month / 3) * 3 - 2, 1);
    case 'month':
      return dayOf(year, month, 1);
    case 'week':
      return day - weekday(day) + 1;
    case 'day':
      return day;
    default:
      return undefined;
  }
}

const lowerCased = (map: ValueMap): Record<string, Value> =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key.toLowerCase(), value]));
