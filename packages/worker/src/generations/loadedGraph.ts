/** The result of a load: the graph, other values read with it, and the differences from the previous load. */
import type { Environment, KindCounter, NodeMarks } from '@clew/generation';
import type { AttackGraph, EdgePatch, EdgeProperties, NodeProperties } from '@clew/graph';

export interface LoadedGraph {
  readonly graph: AttackGraph;
  readonly environments: readonly Environment[];
  readonly marks: NodeMarks;
  /** Contains the counts of the nodes. */
  readonly counter: KindCounter;
  readonly nodeProperties: NodeProperties;
  readonly edgeProperties: EdgeProperties;
  readonly customNodeKinds: ReadonlyMap<number, string>;
  readonly customEdgeKinds: ReadonlyMap<number, string>;
  /** Number of this load among those with the same known rows; 0 if no rows are kept. */
  readonly load: number;
  /** The differences from the previous load; absent if all rows were read. */
  readonly change?: LoadChange;
}

/** The differences from an earlier load; it may also name unchanged items. */
export interface LoadChange {
  /** Number of that load. */
  readonly since: number;
  /**
   * New number of each node, indexed by the old one; NO_NODE for removed nodes. Absent if no node was added or
   * removed.
   */
  readonly numberOf?: Uint32Array;
  /** Old and new numbers of nodes that were removed or added, or that have a different name, kind, environment or mark. */
  readonly nodesBefore: readonly number[];
  readonly nodes: readonly number[];
  /** Number of rows of nodes that were written. */
  readonly nodeRows: number;
  /** Keys of properties that changed at some node. */
  readonly keys: ReadonlySet<string>;
  readonly edges: EdgePatch;
  /** Kinds of edges with changed properties. */
  readonly edgeProperties: ReadonlySet<number>;
  /** Number of edge sets in the store that the load did not read. */
  readonly otherSetCount: number;
}
