/** The context of one run of a query. */
import type { PropertyGraph } from '../graph/propertyGraph.ts';
import type { TemporalInstant } from '../values/temporal/instant.ts';
import type { Value } from '../values/values.ts';
import type { Budget } from './budget.ts';
import type { Progress } from './progress.ts';

export type Row = Value[];
export type Evaluate = (row: Row) => Value;

export interface RunContext {
  readonly graph: PropertyGraph;
  readonly parameters: Readonly<Record<string, Value>>;
  readonly budget: Budget;
  /** One moment for the whole query. */
  readonly now: TemporalInstant;
  /** Steps are timed. */
  readonly profile?: boolean;
  /** Gets how far the query has come, where a part of its answer is wanted. */
  readonly progress?: Progress;
  /**
   * Warnings for the person: labels that no node carries, types that no edge has.
   * @param at offset in the text of the query, where the warning is about one place
   */
  readonly warn: (warning: string, at?: number) => void;
}

/** Takes rows, one at a time, in one array that is used again. */
export interface Sink {
  /** @returns false when no more are wanted */
  row(row: Row): boolean;
  /** No more come. */
  end(): void;
}

/** A part of a query that makes rows of rows. State belongs to a link: each run makes its own. */
export type Operator = (next: Sink, row: Row) => Sink;
