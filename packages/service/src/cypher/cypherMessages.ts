/** What is asked of the threads that run queries, and what they answer. */
import type { PlanLine, QueryLimits, ValueMap } from '@clew/cypher';
import type { ConnectionConfig } from '@clew/store';

export interface CypherThreadOptions {
  readonly connection: ConnectionConfig;
  readonly logLevel: string;
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
  /** The answer is the nodes alone that its rows name: what a selector selects. */
  readonly selects?: boolean;
}

/** A node, relationship or path as a cell of a table. */
export type GraphCell =
  | { readonly type: 'node'; readonly node: number }
  | { readonly type: 'relationship'; readonly edge: number }
  | { readonly type: 'path'; readonly nodes: readonly number[]; readonly edges: readonly number[] };

export interface CypherAnswer {
  readonly columns: readonly string[];
  /** Cells are JSON, but for parts of the graph, which are `GraphCell`s below `$`. */
  readonly rows: readonly (readonly unknown[])[];
  /** Numbers of all nodes and edges of the answer, ascending. */
  readonly nodes: readonly number[];
  readonly edges: readonly number[];
  readonly warnings: readonly string[];
  readonly plan: readonly PlanLine[];
  readonly milliseconds: number;
}
