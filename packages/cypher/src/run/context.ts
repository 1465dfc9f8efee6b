/** Context of one query run. */
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
  /** One timestamp for the whole query. */
  readonly now: TemporalInstant;
  /** Whether to time the steps. */
  readonly profile?: boolean;
  /** Receives the progress of the query, if partial answers are allowed. */
  readonly progress?: Progress;
  /**
   * Reports a warning to the user, such as an unknown label or type.
   * @param at offset in the query text, if the warning refers to one position
   */
  readonly warn: (warning: string, at?: number) => void;
}

/** Receives rows, one at a time, in one reused array. */
export interface Sink {
  /** @returns false if no more rows are wanted */
  row(row: Row): boolean;
  /** Called after the last row. */
  end(): void;
}

/** A part of a query that transforms rows. Each link has its own state, and each run has its own links. */
export type Operator = (next: Sink, row: Row) => Sink;
