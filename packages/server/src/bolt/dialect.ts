/** Converts values between queries and PackStream: versions differ in ids and in times with a zone. */
import {
  type QueryMap,
  type QueryValue,
  type TypedInstant,
  type TypedLiteral,
  TypedValue,
} from '@clew/common';
import { BoltFailure } from './boltFailure.ts';
import { DeferredValue, isPackMap, PackFloat, type PackMap, type PackValue, Structure } from './structure.ts';

const NANOSECONDS = 1_000_000_000;
const SECONDS_PER_DAY = 86_400;

const TAGS = {
  node: 0x4e,
  relationship: 0x52,
  /** A relationship of a path. */
  unbound: 0x72,
  path: 0x50,
  date: 0x44,
  time: 0x54,
  localTime: 0x74,
  localDateTime: 0x64,
  duration: 0x45,
  /** Seconds in UTC, and in the local time of the zone. */
  dateTime: 0x49,
  localDateTimeOfOffset: 0x46,
  dateTimeOfZone: 0x69,
  localDateTimeOfZone: 0x66,
} as const;

export interface Dialect {
  /** Nodes and relationships also have text ids. */
  readonly elementIds: boolean;
  /** A time with a zone contains UTC seconds, not those of its local time. */
  readonly utc: boolean;
}

export function packed(value: QueryValue, dialect: Dialect): PackValue {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof TypedValue) return new DeferredValue(() => packedTyped(value.is, dialect));
  if (Array.isArray(value)) return value.map((item: QueryValue) => packed(item, dialect));
  return packedMap(value as QueryMap, dialect);
}

const packedMap = (map: QueryMap, dialect: Dialect): PackMap =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, packed(value, dialect)]));

function packedTyped(value: TypedValue['is'], dialect: Dialect): PackValue {
  const elementId = (id: number): readonly PackValue[] => (dialect.elementIds ? [String(id)] : []);
  switch (value.type) {
    case 'float':
      return new PackFloat(value.value);
    case 'duration':
      return new Structure(TAGS.duration, [value.months, value.days, value.seconds, value.nanoseconds]);
    case 'node':
      return new Structure(TAGS.node, [
        ...[value.id, value.labels, packedMap(value.properties, dialect)],
        ...elementId(value.id),
      ]);
    case 'relationship':
      return new Structure(TAGS.relationship, [
        ...[value.id, value.start, value.end, value.kind, packedMap(value.properties, dialect)],
        ...[...elementId(value.id), ...elementId(value.start), ...elementId(value.end)],
      ]);
    case 'path':
      return packedPath(value, dialect);
    default:
      return packedInstant(value, dialect);
  }
}

/** Contains each node and relationship once, and the path as indices: negative for a relationship against its direction. */
function packedPath(
  { nodes, relationships }: Extract<TypedValue['is'], { type: 'path' }>,
  dialect: Dialect,
): Structure {
  const nodeOf = new Map(nodes.map((node) => [node.id, node]));
  const relationshipOf = new Map(relationships.map((one) => [one.id, one]));
  const nodePlaces = placesOf(nodeOf.keys(), 0);
  const places = placesOf(relationshipOf.keys(), 1);
  const indices = relationships.flatMap(({ id, start }, at) => {
    const place = places.get(id) as number;
    return [start === nodes[at].id ? place : -place, nodePlaces.get(nodes[at + 1].id) as number];
  });
  return new Structure(TAGS.path, [
    [...nodeOf.values()].map((node) => packedTyped(node, dialect)),
    [...relationshipOf.values()].map(({ id, kind, properties }) => {
      const fields = [id, kind, packedMap(properties, dialect)];
      return new Structure(TAGS.unbound, dialect.elementIds ? [...fields, String(id)] : fields);
    }),
    indices,
  ]);
}

/** @returns the place of each id, counted from the first one */
const placesOf = (ids: Iterable<number>, first: number): ReadonlyMap<number, number> =>
  new Map([...ids].map((id, at) => [id, first + at]));

function packedInstant(instant: TypedInstant, { utc }: Dialect): Structure {
  const { day, second, nanosecond, offset = 0, zone } = instant;
  const ofDay = second * NANOSECONDS + nanosecond;
  const local = day * SECONDS_PER_DAY + second;
  switch (instant.type) {
    case 'date':
      return new Structure(TAGS.date, [day]);
    case 'time':
      return new Structure(TAGS.time, [ofDay, offset]);
    case 'localtime':
      return new Structure(TAGS.localTime, [ofDay]);
    case 'localdatetime':
      return new Structure(TAGS.localDateTime, [local, nanosecond]);
    case 'datetime':
      if (zone === undefined)
        return utc
          ? new Structure(TAGS.dateTime, [local - offset, nanosecond, offset])
          : new Structure(TAGS.localDateTimeOfOffset, [local, nanosecond, offset]);
      return utc
        ? new Structure(TAGS.dateTimeOfZone, [local - offset, nanosecond, zone])
        : new Structure(TAGS.localDateTimeOfZone, [local, nanosecond, zone]);
  }
}

/** @throws BoltFailure for values that are invalid as parameters */
export const unpackedMap = (map: PackMap): QueryMap =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, unpacked(value)]));

function unpacked(value: PackValue): QueryValue {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof PackFloat)
    return Number.isInteger(value.value)
      ? new TypedValue({ type: 'float', value: value.value })
      : value.value;
  if (value instanceof Structure) return new TypedValue(literalOf(value));
  if (Array.isArray(value)) return value.map(unpacked);
  if (!isPackMap(value)) throw noParameter('bytes');
  return unpackedMap(value);
}

const noParameter = (type: string): BoltFailure =>
  new BoltFailure('Neo.ClientError.Statement.TypeError', `${type} cannot be a parameter`);

function literalOf({ tag, fields }: Structure): TypedLiteral {
  const numbers = fields.map((field) => (typeof field === 'number' ? field : Number.NaN));
  if (!numbers.slice(0, 2).every(Number.isSafeInteger)) throw noParameter('a structure with wrong fields');
  const [first, second, third, fourth] = numbers;
  switch (tag) {
    case TAGS.date:
      return instant('date', first * SECONDS_PER_DAY);
    case TAGS.time:
      return { ...instant('time', ...clockOf(first)), offset: offsetOf(second) };
    case TAGS.localTime:
      return instant('localtime', ...clockOf(first));
    case TAGS.localDateTime:
      return instant('localdatetime', first, second);
    case TAGS.duration:
      if (![third, fourth].every(Number.isSafeInteger)) break;
      return { type: 'duration', months: first, days: second, seconds: third, nanoseconds: fourth };
    case TAGS.dateTime:
      return { ...instant('datetime', first + offsetOf(third), second), offset: offsetOf(third) };
    case TAGS.localDateTimeOfOffset:
      return { ...instant('datetime', first, second), offset: offsetOf(third) };
    case TAGS.dateTimeOfZone:
    case TAGS.localDateTimeOfZone: {
      const [, , zone] = fields;
      if (typeof zone !== 'string') break;
      const { offset, ...local } = instant('datetime', first, second);
      return { ...local, zone, ...(tag === TAGS.dateTimeOfZone && { offset }) };
    }
  }
  throw noParameter(`a structure with the tag ${tag}`);
}

const MAX_OFFSET = 18 * 3600;

function offsetOf(seconds: number): number {
  if (!Number.isInteger(seconds) || Math.abs(seconds) > MAX_OFFSET) throw noParameter('such an offset');
  return seconds;
}

function clockOf(nanoseconds: number): [seconds: number, nanoseconds: number] {
  if (nanoseconds < 0 || nanoseconds >= SECONDS_PER_DAY * NANOSECONDS) throw noParameter('such a time');
  return [Math.floor(nanoseconds / NANOSECONDS), nanoseconds % NANOSECONDS];
}

function instant(type: TypedInstant['type'], seconds: number, nanosecond = 0): TypedInstant {
  if (nanosecond < 0 || nanosecond >= NANOSECONDS) throw noParameter('such nanoseconds');
  const day = Math.floor(seconds / SECONDS_PER_DAY);
  return { type, day, second: seconds - day * SECONDS_PER_DAY, nanosecond, offset: 0 };
}
