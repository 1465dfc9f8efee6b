/** The result of a load: the graph, other values that it read, and the differences from the previous load. */
import type { Environment, KindCounter, NodeMarks } from '@clew/generation';
import type { AttackGraph, EdgePatch, EdgeProperties, NodeProperties } from '@clew/graph';

export interface LoadedGraph {
  readonly graph: AttackGraph;
  readonly environments: readonly Environment[];
  readonly marks: NodeMarks;
  /** Has counted the nodes. */
  readonly counter: KindCounter;
  readonly nodeProperties: NodeProperties;
  readonly edgeProperties: EdgeProperties;
  readonly customNodeKinds: ReadonlyMap<number, string>;
  readonly customEdgeKinds: ReadonlyMap<number, string>;
  /** Number of this load among those with the same known rows; 0 where none are kept. */
  readonly load: number;
  /** The differences from the previous load; absent when all was read. */
  readonly change?: LoadChange;
}

/** The differences from an earlier load; it may also name unchanged items. */
export interface LoadChange {
  /** Number of that load. */
  readonly since: number;
  /** The number of a node now by its number then, NO_NODE for those that went; absent when no node came or went. */
  readonly numberOf?: Uint32Array;
  /** Numbers, then and now, of nodes that went, came, or have another name, kind or environment, or another mark. */
  readonly nodesBefore: readonly number[];
  readonly nodes: readonly number[];
  /** Number of rows of nodes that were written. */
  readonly nodeRows: number;
  /** Keys of properties that have another value at some node. */
  readonly keys: ReadonlySet<string>;
  readonly edges: EdgePatch;
  /** Kinds of edges of which one carries other properties. */
  readonly edgeProperties: ReadonlySet<number>;
  /** Number of edge sets in the store that the load did not read. */
  readonly otherSetCount: number;
}
