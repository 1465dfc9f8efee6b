/**
 * Values of queries with their types, for protocols that have more types than JSON. A number is an integer where it has no
 * fraction, or else a float; a bigint is an integer.
 */
import type { RequestContext } from './handler.ts';

export type QueryValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | TypedValue
  | readonly QueryValue[]
  | QueryMap;

export interface QueryMap {
  readonly [key: string]: QueryValue;
}

/** A float without a fraction. */
export interface TypedFloat {
  readonly type: 'float';
  readonly value: number;
}

/** Parts that a type does not have are 0. */
export interface TypedInstant {
  readonly type: 'datetime' | 'localdatetime' | 'date' | 'time' | 'localtime';
  /** Days since the epoch, on the calendar of the zone. */
  readonly day: number;
  /** Seconds of the day, on the clock of the zone. */
  readonly second: number;
  readonly nanosecond: number;
  /** Seconds east of UTC; absent where the rules of the named zone give it. */
  readonly offset?: number;
  /** Absent for a fixed offset. */
  readonly zone?: string;
}

export interface TypedDuration {
  readonly type: 'duration';
  readonly months: number;
  readonly days: number;
  readonly seconds: number;
  readonly nanoseconds: number;
}

export interface TypedNode {
  readonly type: 'node';
  readonly id: number;
  readonly labels: readonly string[];
  readonly properties: QueryMap;
}

export interface TypedRelationship {
  readonly type: 'relationship';
  readonly id: number;
  /** Ids of its nodes. */
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  readonly properties: QueryMap;
}

export interface TypedPath {
  readonly type: 'path';
  /** One more node than relationships. */
  readonly nodes: readonly TypedNode[];
  readonly relationships: readonly TypedRelationship[];
}

/** Values that the API also has outside of a graph: a parameter can be one. */
export type TypedLiteral = TypedFloat | TypedInstant | TypedDuration;

/** Marks a value that is more than JSON, so that no map of a query passes for one. */
export class TypedValue {
  readonly is: TypedLiteral | TypedNode | TypedRelationship | TypedPath;

  constructor(is: TypedValue['is']) {
    this.is = is;
  }
}

export interface TypedQuery {
  readonly text: string;
  readonly parameters: QueryMap;
  /** Name of the layer that it reads, and may change. */
  readonly layer?: string | undefined;
}

/** The answer to a query, of which a client takes as many rows as it wants. */
export interface TypedAnswer {
  readonly columns: readonly string[];
  readonly warnings: readonly string[];
  /** Counts of the changes in a layer, under the names of the protocol; absent for a query that only reads. */
  readonly changes?: Readonly<Record<string, number>> | undefined;
  /** Number of the generation that answered. */
  readonly generation: number;
  /** Bytes of memory that its rows take. */
  readonly bytes: number;
  /** Rows that were not taken yet. */
  readonly left: number;
  /** @returns the next rows, at most `max` @throws the reason of the signal */
  take(max: number, signal: AbortSignal): Promise<readonly (readonly QueryValue[])[]>;
  /** Leaves out the next rows. */
  skip(count: number): void;
}

/** Why a query has no answer, by the stage that refused it; messages are for its author. */
export class TypedQueryError extends Error {
  override readonly name = 'TypedQueryError';
  readonly kind: 'syntax' | 'meaning' | 'refused' | 'value' | 'limit';

  constructor(kind: TypedQueryError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** @throws TypedQueryError, ApiError, the reason of the signal */
export type AnswerTyped = (query: TypedQuery, context: RequestContext) => Promise<TypedAnswer>;
