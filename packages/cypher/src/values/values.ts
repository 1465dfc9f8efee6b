/**
 * Values of queries. Integers are numbers without a fraction, or bigints beyond 2^53. A float without a fraction
 * is a `Float`; any other float is a number. So property values, which are nearly always integers, are plain
 * JavaScript numbers.
 */

/** Base class of values that are not plain JSON. */
export abstract class Special {}

/** A float without a fraction, such as `1.0`. */
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
  /** One more node than edges. */
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

/** @returns the float as a value, boxed if it has no fraction */
export const toFloat = (value: number): number | Float =>
  Number.isInteger(value) ? new Float(value) : value;

/** @returns `undefined` for a value that is not a number; the nearest double for an integer beyond 2^53 */
export function numberOf(value: Value): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  return value instanceof Float ? value.value : undefined;
}

/** Like `numberOf`, but exact. JavaScript compares numbers and bigints exactly. */
export const exactNumberOf = (value: Value): number | bigint | undefined =>
  typeof value === 'bigint' ? value : numberOf(value);

/** Whether a value is an integer up to 2^53, and so usable as an index or a count. */
export const isInteger = (value: Value): value is number =>
  typeof value === 'number' && Number.isInteger(value);

export const isAnyInteger = (value: Value): value is number | bigint =>
  typeof value === 'bigint' || isInteger(value);

/** Integers of queries have 64 bits. */
const MAX_INTEGER = 2n ** 63n - 1n;
export const MIN_INTEGER = -(2n ** 63n);

/** @returns the integer as a value; `undefined` if it exceeds 64 bits */
export function integerOf(value: bigint): number | bigint | undefined {
  if (value < MIN_INTEGER || value > MAX_INTEGER) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

export const isMap = (value: Value): value is ValueMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Special);

/** @returns the type name for messages */
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

/** Whether values of this type are equal exactly if their keys are, as for nearly all properties. */
export const isPlain = (value: Value): boolean =>
  typeof value !== 'object' || !(value instanceof Special || isList(value));
