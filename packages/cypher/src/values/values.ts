/**
 * Values of queries. Integers are numbers without a fraction, beyond 2^53 bigints; a float without a fraction is a `Float`, any other is a
 * number. So the values of properties, which are nearly always integers, are plain JavaScript numbers.
 */

/** Any value that is not a plain JSON value. */
export abstract class Special {}

/** A float that has no fraction: `1.0`. */
export class Float extends Special {
  readonly value: number;

  constructor(value: number) {
    super();
    this.value = value;
  }
}

export class NodeValue extends Special {
  readonly node: number;

  constructor(node: number) {
    super();
    this.node = node;
  }
}

export class RelationshipValue extends Special {
  readonly edge: number;

  constructor(edge: number) {
    super();
    this.edge = edge;
  }
}

export class PathValue extends Special {
  /** One more than edges. */
  readonly nodes: readonly number[];
  readonly edges: readonly number[];

  constructor(nodes: readonly number[], edges: readonly number[]) {
    super();
    this.nodes = nodes;
    this.edges = edges;
  }
}

export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Float
  | NodeValue
  | RelationshipValue
  | PathValue
  | Special
  | readonly Value[]
  | ValueMap;

export interface ValueMap {
  readonly [key: string]: Value;
}

/** @returns the float as a value: boxed where it would look like an integer */
export const floatOf = (value: number): number | Float =>
  Number.isInteger(value) ? new Float(value) : value;

/** @returns nothing for a value that is not a number; the nearest float for an integer beyond 2^53 */
export function numberOf(value: Value): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  return value instanceof Float ? value.value : undefined;
}

/** Like `numberOf`, with every digit. JavaScript's `<` and `==` between the two types are exact. */
export const exactNumberOf = (value: Value): number | bigint | undefined =>
  typeof value === 'bigint' ? value : numberOf(value);

/** Whether a value is an integer that may be a place or a count, so not beyond 2^53. */
export const isInteger = (value: Value): value is number =>
  typeof value === 'number' && Number.isInteger(value);

export const isAnyInteger = (value: Value): value is number | bigint =>
  typeof value === 'bigint' || isInteger(value);

/** Integers of queries have 64 bits. */
const MAX_INTEGER = 2n ** 63n - 1n;
export const MIN_INTEGER = -(2n ** 63n);

/** @returns the integer as a value; nothing where it has more than 64 bits */
export function integerOf(value: bigint): number | bigint | undefined {
  if (value < MIN_INTEGER || value > MAX_INTEGER) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

export const isMap = (value: Value): value is ValueMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Special);

/** @returns the name of the type for messages */
export function typeName(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'a boolean';
  if (typeof value === 'string') return 'a string';
  if (isAnyInteger(value)) return 'an integer';
  if (numberOf(value) !== undefined) return 'a float';
  if (isList(value)) return 'a list';
  if (value instanceof NodeValue) return 'a node';
  if (value instanceof RelationshipValue) return 'a relationship';
  if (value instanceof PathValue) return 'a path';
  return value instanceof Special ? 'a temporal value' : 'a map';
}

/** Whether values of this kind are equal when their keys are, as nearly all properties are. */
export const isPlain = (value: Value): boolean =>
  typeof value !== 'object' || !(value instanceof Special || isList(value));
