/** Values with their types as plain data, for answers and parameters of protocols that have more types than JSON. */
import { type QueryMap, type QueryValue, type TypedLiteral, TypedValue } from '@clew/common';
import {
  CypherError,
  Duration,
  Float,
  offsetZone,
  parseZone,
  TemporalInstant,
  type Value,
  type ValueMap,
} from '@clew/cypher';
import { entriesOf, mapCell } from './cells.ts';

/** @returns `undefined` for a value that is plain data by itself */
export function literalOf(value: Value): TypedLiteral | undefined {
  if (value instanceof Float) return { type: 'float', value: value.value };
  if (value instanceof Duration) {
    const { months, days, seconds, nanoseconds } = value;
    return { type: 'duration', months, days, seconds, nanoseconds };
  }
  if (!(value instanceof TemporalInstant)) return undefined;
  const { type, day, second, nanosecond, offset, zone } = value;
  return {
    ...{ type, day, second, nanosecond, offset },
    ...(zone.name !== undefined && { zone: zone.name }),
  };
}

/** @returns parameters as plain data, which a thread can be sent */
export const plainParameters = (parameters: QueryMap): ValueMap => plain(parameters) as ValueMap;

function plain(value: QueryValue): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof TypedValue) return { $: value.is };
  if (Array.isArray(value)) return value.map(plain);
  return mapCell(value as QueryMap, plain);
}

/** @param parameters of `plainParameters` @throws CypherError for values that no query has */
export const typedParameters = (parameters: ValueMap): ValueMap => typedValueOf(parameters) as ValueMap;

function typedValueOf(value: unknown): Value {
  if (typeof value !== 'object' || value === null) return value as Value;
  if (Array.isArray(value)) return value.map(typedValueOf);
  if ('$' in value) return ofLiteral(value.$ as TypedLiteral);
  return Object.fromEntries(entriesOf(value).map(([key, inner]) => [key, typedValueOf(inner)]));
}

function ofLiteral(literal: TypedLiteral): Value {
  if (literal.type === 'float') return new Float(literal.value);
  if (literal.type === 'duration')
    return new Duration(literal.months, literal.days, literal.seconds, literal.nanoseconds);
  const { type, zone: name, offset, ...local } = literal;
  if (name === undefined) {
    const zone = offset === undefined ? undefined : offsetZone(offset);
    return new TemporalInstant(type, { ...local, ...(zone && { zone, offset }) });
  }
  const zone = parseZone(name);
  if (zone === undefined)
    throw new CypherError('value', `there is no time zone ${JSON.stringify(name.slice(0, 60))}`);
  if (offset === undefined) return new TemporalInstant(type, { ...local, zone });
  return new TemporalInstant(type, { ...local, zone: offsetZone(offset), offset }).inZone(zone);
}
