/**
 * Values of queries. Integers are numbers without a fraction; a float without one is a `Float`, any other is a number. So
 * what properties hold, which is nearly always an integer, is what it is in JavaScript.
 */

/** Anything that is no plain value of JSON. */
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

/** @returns nothing for what is no number */
export function numberOf(value: Value): number | undefined {
  if (typeof value === 'number') return value;
  return value instanceof Float ? value.value : undefined;
}

export const isInteger = (value: Value): value is number =>
  typeof value === 'number' && Number.isInteger(value);

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

export const isMap = (value: Value): value is ValueMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Special);

/** For messages. */
export function typeName(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'a boolean';
  if (typeof value === 'string') return 'a string';
  if (isInteger(value)) return 'an integer';
  if (numberOf(value) !== undefined) return 'a float';
  if (isList(value)) return 'a list';
  if (value instanceof NodeValue) return 'a node';
  if (value instanceof RelationshipValue) return 'a relationship';
  if (value instanceof PathValue) return 'a path';
  return value instanceof Special ? 'a temporal value' : 'a map';
}
