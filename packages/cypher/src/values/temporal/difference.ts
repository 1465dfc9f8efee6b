/** Differences of dates and times: `duration.between` and related functions. */
import { addMonths, civilDate } from './calendar.ts';
import { Duration } from './duration.ts';
import { TemporalInstant } from './instant.ts';
import { PARTS } from './instantTypes.ts';

/** Two instants on the same calendar and clock. */
interface Pair {
  readonly from: TemporalInstant;
  readonly to: TemporalInstant;
  /** False for a time of day: the difference then has no months or days. */
  readonly haveDays: boolean;
}

/** If one value lacks a day or zone, the value of the other is used; if both lack a time, it is midnight. */
function aligned(from: TemporalInstant, to: TemporalInstant): Pair {
  const [first, second] = [PARTS[from.type], PARTS[to.type]];
  const isZoned = first.zone || second.zone;
  const type = isZoned ? 'datetime' : 'localdatetime';
  const zone = first.zone ? from.zone : to.zone;
  const completed = (value: TemporalInstant, other: TemporalInstant): TemporalInstant => {
    const has = PARTS[value.type];
    const day = has.day ? value.day : other.day;
    const isOwn = has.zone && (value.zone.name === undefined || has.day);
    const placed = new TemporalInstant(type, {
      day,
      second: value.second,
      nanosecond: value.nanosecond,
      zone: has.zone ? value.zone : PARTS[other.type].zone ? other.zone : undefined,
      offset: isOwn ? value.offset : undefined,
    });
    return isZoned ? placed.inZone(zone) : placed;
  };
  return { from: completed(from, to), to: completed(to, from), haveDays: first.day && second.day };
}

export function between(first: TemporalInstant, second: TemporalInstant): Duration {
  const { from, to, haveDays } = aligned(first, second);
  if (!haveDays) return timeBetween(from, to);
  const months = monthsBetween(from, to);
  const moved = new TemporalInstant(from.type, { ...partsOf(from), day: addMonths(from.day, months) });
  const days = daysBetween(moved, to);
  const near = new TemporalInstant(from.type, { ...partsOf(from), day: moved.day + days });
  return new Duration(months, days, 0).plus(timeBetween(near, to));
}

export function inMonths(first: TemporalInstant, second: TemporalInstant): Duration {
  const { from, to, haveDays } = aligned(first, second);
  return new Duration(haveDays ? monthsBetween(from, to) : 0, 0, 0);
}

export function inDays(first: TemporalInstant, second: TemporalInstant): Duration {
  const { from, to, haveDays } = aligned(first, second);
  return new Duration(0, haveDays ? daysBetween(from, to) : 0, 0);
}

export function inSeconds(first: TemporalInstant, second: TemporalInstant): Duration {
  const { from, to } = aligned(first, second);
  return timeBetween(from, to);
}

/** The offset of a named zone depends on the day. */
const partsOf = ({ second, nanosecond, zone, day, offset }: TemporalInstant) =>
  zone.name === undefined ? { second, nanosecond, zone, day, offset } : { second, nanosecond, zone, day };

const timeBetween = (from: TemporalInstant, to: TemporalInstant): Duration =>
  new Duration(0, 0, to.epochSeconds - from.epochSeconds, to.nanosecond - from.nanosecond);

/** Number of whole months, rounded toward zero. */
function monthsBetween(from: TemporalInstant, to: TemporalInstant): number {
  const [a, b] = [civilDate(from.day), civilDate(to.day)];
  const months = (b.year - a.year) * 12 + b.month - a.month;
  const rest = b.day - a.day || clockOrder(from, to);
  if (months > 0 && rest < 0) return months - 1;
  return months < 0 && rest > 0 ? months + 1 : months;
}

function daysBetween(from: TemporalInstant, to: TemporalInstant): number {
  const days = to.day - from.day;
  const rest = clockOrder(from, to);
  if (days > 0 && rest < 0) return days - 1;
  return days < 0 && rest > 0 ? days + 1 : days;
}

const clockOrder = (from: TemporalInstant, to: TemporalInstant): number =>
  to.second - from.second || to.nanosecond - from.nanosecond;
