/**
 * The graph that queries run on: columns of numbers, as the attack graph has them, and the properties of its nodes and edges. The number of
 * an edge is its place in `out`.
 */
import type { Value, ValueMap } from '../values/values.ts';

export interface Edges {
  /** nodeCount + 1 entries: edges of node n are at offsets[n] .. offsets[n + 1] - 1. */
  readonly offsets: Uint32Array;
  /** Node at the other end. */
  readonly neighbors: Uint32Array;
  /** Number of the type. */
  readonly kinds: Uint16Array;
}

/** The nodes that carry a label. */
export interface LabelSet {
  readonly size: number;
  has(node: number): boolean;
  /** In ascending order. @returns false when the visitor ended it */
  every(visit: (node: number) => boolean): boolean;
}

export interface PropertyGraph {
  readonly nodeCount: number;
  readonly edgeCount: number;
  readonly out: Edges;
  readonly in: Edges;
  /** @returns the number in `out` of the edge at a place of `in` */
  edgeAtIn(place: number, node: number): number;
  startOf(edge: number): number;
  /** @returns nothing for a label that no node carries */
  label(name: string): LabelSet | undefined;
  /** Most specific label first. */
  labelsOf(node: number): readonly string[];
  /** @returns the types that a name stands for; none for an unknown one */
  types(name: string): readonly number[];
  typeName(type: number): string;
  /** Labels and types that are there: for hints and completion. */
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
  /** Nodes that are hidden from the caller; absent where none is hidden. Labels, `seek` and `nodeWithId` leave them out themselves. */
  readonly isHidden?: (node: number) => boolean;
  /** @returns the nodes whose property is the value, where that is known without looking at all; nothing else */
  seek?(key: string, value: Value): readonly number[] | undefined;
  /** Like `seek`, for texts with this ending. */
  seekSuffix?(key: string, suffix: string): readonly number[] | undefined;
}
