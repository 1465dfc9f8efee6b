/**
 * The interface of the graph that queries run on: columns of numbers, like those of the attack graph, and
 * properties of nodes and edges. The number of an edge is its index in `out`.
 */
import type { Spends } from '../run/budget.ts';
import type { Value, ValueMap } from '../values/values.ts';

export interface Edges {
  /** nodeCount + 1 entries; edges of node n are at offsets[n] .. offsets[n + 1] - 1. */
  readonly offsets: Uint32Array;
  /** Node at the other end. */
  readonly neighbors: Uint32Array;
  /** Type number. */
  readonly kinds: Uint16Array;
}

/** The nodes with a label. */
export interface LabelSet {
  readonly size: number;
  has(node: number): boolean;
  /** Visits nodes in ascending order. @returns false if the visitor stopped */
  every(visit: (node: number) => boolean): boolean;
}

export interface PropertyGraph {
  readonly nodeCount: number;
  readonly edgeCount: number;
  readonly out: Edges;
  readonly in: Edges;
  /** @returns the number (index in `out`) of the edge at an index of `in` */
  edgeAtIn(place: number, node: number): number;
  startOf(edge: number): number;
  /** @returns `undefined` if no node has the label */
  label(name: string): LabelSet | undefined;
  /** The most specific label is first. */
  labelsOf(node: number): readonly string[];
  /** @returns the types that a name represents; empty for an unknown name */
  types(name: string): readonly number[];
  typeName(type: number): string;
  /** Existing labels and types, for hints and completion. */
  labelNames(): Iterable<string>;
  typeNames(): Iterable<string>;
  /** @returns null for a missing property */
  nodeProperty(node: number, key: string): Value;
  edgeProperty(edge: number, key: string): Value;
  nodeProperties(node: number): ValueMap;
  edgeProperties(edge: number): ValueMap;
  /** The value that `id()` returns. */
  nodeId(node: number): number;
  edgeId(edge: number): number;
  nodeWithId(id: number): number | undefined;
  /**
   * Nodes that are hidden from the caller; absent if all nodes are visible. Labels, `seek` and `nodeWithId` exclude them
   * already.
   */
  readonly isHidden?: (node: number) => boolean;
  /** @returns the nodes whose property has the value, if an index provides them; otherwise `undefined` */
  seek?(key: string, value: Value): readonly number[] | undefined;
  /** Like `seek`, for texts with this suffix. */
  seekSuffix?(key: string, suffix: string): readonly number[] | undefined;
  /** @returns the same graph, whose lookups count in the budget of a query; absent if each costs little */
  spending?(budget: Spends): PropertyGraph;
}
