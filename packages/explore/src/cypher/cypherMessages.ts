/** Requests to the threads that run queries, and their answers. */
import type { PlanLine, ProductHint, QueryLimits, ValueMap } from '@clew/cypher';
import type { ConnectionConfig } from '@clew/store';
import type { PackedRows } from './answerRows.ts';

export interface CypherThreadOptions {
  readonly connection: ConnectionConfig;
  readonly logLevel: string;
  /** It leaves the processor to those who answer cheap questions and requests. */
  readonly isPatient?: boolean;
  /** It loads the properties of the questions which come with the product before one is asked. */
  readonly readsAhead?: boolean;
}

export interface CypherRequest {
  readonly query: string;
  readonly parameters: ValueMap;
  readonly limits?: Partial<QueryLimits>;
  /** Nodes of the environments that the one who asks may see; absent for all. */
  readonly environments?: readonly number[];
  /** How it would be run, and no more. */
  readonly explain: boolean;
  /** Steps are timed. */
  readonly profile?: boolean;
  /** Rows are asked for, also those of nothing but parts of the graph; absent: yes. */
  readonly wantsTable?: boolean;
  /** Time after which it is given up with `ALLOWANCE_USED`, to be run where others do not wait for it. */
  readonly allowanceMs?: number;
  /** Whether a query that reaches a limit returns the rows found so far, marked as partial; absent: no. */
  readonly partial?: { /** Milliseconds since the epoch at which it ends, too. */ readonly until: number };
  /** The answer contains only the nodes that its rows name, as for a selector. */
  readonly selects?: boolean;
  /** Asks for the names that a query can use instead of running it: the answer is one row with one cell, `GraphNames`. */
  readonly asksNames?: boolean;
}

/** Name of the error of a query that is not cheap. */
export const ALLOWANCE_USED = 'AllowanceUsed';

/** A node, relationship or path as a cell of a table. */
export type GraphCell =
  | { readonly type: 'node'; readonly node: number }
  | { readonly type: 'relationship'; readonly edge: number }
  | { readonly type: 'path'; readonly nodes: readonly number[]; readonly edges: readonly number[] };

export interface CypherAnswer {
  readonly columns: readonly string[];
  /** Cells are JSON, but for parts of the graph, which are `GraphCell`s below `$`. */
  readonly rows: PackedRows;
  /** Numbers of all nodes and edges of the answer, ascending. */
  readonly nodes: readonly number[];
  readonly edges: readonly number[];
  readonly warnings: readonly string[];
  /** Nothing was found: the answer has no row, or only aggregates of nothing. */
  readonly isEmpty: boolean;
  readonly plan: readonly PlanLine[];
  /** Other ways to write the query, where it is explained. */
  readonly hints?: readonly (ProductHint & { readonly plan: readonly PlanLine[] })[];
  readonly milliseconds: number;
}
