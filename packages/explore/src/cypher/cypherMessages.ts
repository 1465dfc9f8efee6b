/** Requests to the query threads, and their answers. */
import type { PlanLine, ProductHint, QueryLimits, UpdateCounts, ValueMap } from '@clew/cypher';
import type { ConnectionConfig } from '@clew/store';
import type { PackedRows } from './answerRows.ts';
import type { ShownLayer } from './layers/layeredTypes.ts';
import type { LayerName } from './layers/storedLayers.ts';

export interface CypherThreadOptions {
  readonly connection: ConnectionConfig;
  readonly logLevel: string;
  /** Whether it has lower priority than threads for cheap queries and requests. */
  readonly isPatient?: boolean;
  /** Whether it loads the properties used in built-in questions before one is requested. */
  readonly readsAhead?: boolean;
}

export interface CypherRequest {
  readonly query: string;
  readonly parameters: ValueMap;
  readonly limits?: Partial<QueryLimits>;
  /** Nodes of the environments that the caller may see; absent for all. */
  readonly environments?: readonly number[];
  /** Whether to only explain how it would run. */
  readonly explain: boolean;
  /** Whether steps are timed. */
  readonly profile?: boolean;
  /** Whether rows are requested, including those with only graph parts; default: true. */
  readonly wantsTable?: boolean;
  /** Whether parameters have, and cells keep, their types (`typedCells.ts`); by default they are JSON. */
  readonly isTyped?: boolean;
  /** Attack effort of each edge, by its number, once a query has asked for it; `NO_STEP` for other edges than steps of attack paths. */
  readonly efforts?: Uint8Array;
  /** Whether a query that reads attack efforts without having them fails with `EFFORTS_NEEDED`; default: it is refused. */
  readonly mayAskEfforts?: boolean;
  /** The layer that it reads, and may change. */
  readonly layer?: LayerName;
  /** Time after which it fails with `ALLOWANCE_USED`, to run in the long lane. */
  readonly allowanceMs?: number;
  /** Whether a query that reaches a limit returns the rows found so far, marked as partial; default: false. */
  readonly partial?: { /** Milliseconds since the epoch at which it also ends. */ readonly until: number };
  /** Whether the answer contains only the nodes in its rows, as for a selector. */
  readonly selects?: boolean;
  /** Whether to return the names that a query can use instead of running it: the answer is one row with one cell, `GraphNames`. */
  readonly asksNames?: boolean;
}

/** Error name for a query that is not cheap. */
export const ALLOWANCE_USED = 'AllowanceUsed';

/** Error name for a query that reads attack efforts and runs again with them. */
export const EFFORTS_NEEDED = 'EffortsNeeded';

/** A node, relationship or path in a table cell. */
export type GraphCell =
  | { readonly type: 'node'; readonly node: number }
  | { readonly type: 'relationship'; readonly edge: number }
  | { readonly type: 'path'; readonly nodes: readonly number[]; readonly edges: readonly number[] };

export interface CypherAnswer {
  readonly columns: readonly string[];
  /** Cells are JSON, except for graph parts, which are `GraphCell`s under `$`. */
  readonly rows: PackedRows;
  /** Numbers of all nodes and edges of the answer, ascending. */
  readonly nodes: readonly number[];
  readonly edges: readonly number[];
  readonly warnings: readonly string[];
  /** Whether nothing was found: the answer has no row, or only aggregates of nothing. */
  readonly isEmpty: boolean;
  readonly plan: readonly PlanLine[];
  /** Other ways to write the query, if it is explained. */
  readonly hints?: readonly (ProductHint & { readonly plan: readonly PlanLine[] })[];
  readonly milliseconds: number;
  /** The parts that a layer makes or changes. Numbers beyond those of the generation are of parts that it makes. */
  readonly layer?: ShownLayer;
  /** The number of changes that the query made in its layer. */
  readonly changes?: UpdateCounts;
}
