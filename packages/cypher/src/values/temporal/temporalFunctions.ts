/** Functions of dates, times and durations, by lower-case name. */
import { CypherError } from '../../cypherError.ts';
import type { RunContext } from '../../run/context.ts';
import { type CypherFunction, misfit, strict } from '../cypherFunction.ts';
import { isInteger, isMap, numberOf, type Value } from '../values.ts';
import { instantOf, zoneOf } from './construct.ts';
import { between, inDays, inMonths, inSeconds } from './difference.ts';
import { DURATION_UNITS, Duration } from './duration.ts';
import { TemporalInstant } from './instant.ts';
import { type InstantType, PARTS } from './instantTypes.ts';
import { truncated } from './truncate.ts';

/** `date()` is today, `date({timezone: 'Asia/Tokyo'})` is today in Tokyo, `date(value)` is the date of the value. */
const make = (type: InstantType): CypherFunction => ({
  least: 0,
  most: 1,
  work: ({ now }, args) => {
    const [value] = args;
    if (value === null || hasNull(value)) return null;
    if (value === undefined) return new TemporalInstant(type, now);
    const zone = isMap(value) && Object.keys(value).length === 1 ? value.timezone : undefined;
    return zone === undefined ? instantOf(type, value) : nowIn(type, now, zone);
  },
});

/** A value with a null component is null, because not every object has all properties. */
const hasNull = (value: Value | undefined): boolean =>
  value !== undefined && isMap(value) && Object.values(value).includes(null);

const nowIn = (type: InstantType, now: TemporalInstant, zone: Value): TemporalInstant =>
  new TemporalInstant(type, now.inZone(zoneOf(type, zone)));

/** Implements `date.transaction()` and related functions. A query is one statement and one transaction. */
const clock = (type: InstantType, moment: (context: RunContext) => TemporalInstant): CypherFunction => ({
  least: 0,
  most: 1,
  work: (context, [zone]) => {
    if (zone === null) return null;
    if (zone === undefined) return new TemporalInstant(type, moment(context));
    return nowIn(type, moment(context), zone);
  },
});

const truncate = (type: InstantType): CypherFunction =>
  strict(2, 3, (_, unit, value, overrides = {}) => {
    const name = `${type}.truncate`;
    if (typeof unit !== 'string') throw misfit(name, unit);
    if (!(value instanceof TemporalInstant)) throw misfit(name, value);
    if (!isMap(overrides)) throw misfit(name, overrides);
    return truncated(type, unit, value, overrides);
  });

const onTwo = (
  name: string,
  work: (first: TemporalInstant, second: TemporalInstant) => Duration,
): CypherFunction =>
  strict(2, 2, (_, first, second) => {
    if (!(first instanceof TemporalInstant)) throw misfit(name, first);
    if (!(second instanceof TemporalInstant)) throw misfit(name, second);
    return work(first, second);
  });

/** @throws CypherError for a text that is not a duration, or for unknown units */
function durationOf(value: NonNullable<Value>): Duration {
  if (value instanceof Duration) return value;
  if (typeof value === 'string') {
    const parsed = Duration.parse(value);
    if (parsed !== undefined) return parsed;
    throw new CypherError('value', `duration() cannot read ${JSON.stringify(value.slice(0, 60))}`);
  }
  if (!isMap(value)) throw misfit('duration', value);
  const parts: Record<string, number> = {};
  for (const [unit, given] of Object.entries(value)) {
    const number = numberOf(given);
    if (!DURATION_UNITS.includes(unit.toLowerCase()))
      throw new CypherError('value', `duration() does not know the unit ${unit.slice(0, 60)}`);
    if (number === undefined) throw misfit('duration', given);
    parts[unit.toLowerCase()] = number;
  }
  return Duration.of(parts);
}

const integers =
  (name: string, work: (first: number, second: number) => Value): CypherFunction['work'] =>
  (_, args) => {
    if (args.includes(null)) return null;
    const wrong = args.find((value) => !isInteger(value));
    if (wrong !== undefined) throw misfit(name, wrong);
    const [first, second = 0] = args as number[];
    return work(first, second);
  };

function ofType(type: InstantType): readonly (readonly [string, CypherFunction])[] {
  const statement = ({ now }: RunContext): TemporalInstant => now;
  return [
    [type, make(type)],
    [`${type}.transaction`, clock(type, statement)],
    [`${type}.statement`, clock(type, statement)],
    [`${type}.realtime`, clock(type, () => TemporalInstant.ofEpochMillis(Date.now()))],
    [`${type}.truncate`, truncate(type)],
  ];
}

export const TEMPORAL_FUNCTIONS: Readonly<Record<string, CypherFunction>> = {
  ...Object.fromEntries((Object.keys(PARTS) as InstantType[]).flatMap(ofType)),
  timestamp: { least: 0, most: 0, work: ({ now }) => now.epochMillis },
  'datetime.fromepoch': {
    ...{ least: 1, most: 2 },
    work: integers('datetime.fromEpoch', (seconds, nanoseconds) =>
      TemporalInstant.ofEpoch(seconds, nanoseconds),
    ),
  },
  'datetime.fromepochmillis': {
    ...{ least: 1, most: 1 },
    work: integers('datetime.fromEpochMillis', (milliseconds) => TemporalInstant.ofEpochMillis(milliseconds)),
  },
  duration: strict(1, 1, (_, value) => (hasNull(value) ? null : durationOf(value))),
  'duration.between': onTwo('duration.between', between),
  'duration.inmonths': onTwo('duration.inMonths', inMonths),
  'duration.indays': onTwo('duration.inDays', inDays),
  'duration.inseconds': onTwo('duration.inSeconds', inSeconds),
};
