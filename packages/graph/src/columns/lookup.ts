/** Looks up nodes and edges, and reads their columns. */
import { getOrMake } from '../memo.ts';
import { type AttackGraph, NO_NODE } from './attackGraph.ts';
import { NodeSet } from './nodeSet.ts';
import { type PlacesByRow, placesByRow } from './rowPlaces.ts';
import { compareTextTo, decodeText, encodeText, lowerBound, textStartsWith } from './textColumn.ts';

/** Marks a missing edge. */
export const NO_EDGE = 0xffff_ffff;

/**
 * Binary search, about 1 us at 1 M nodes.
 * @param objectId compared byte by byte, so case matters
 * @returns the node's number, or `NO_NODE`
 */
export function findNode(graph: AttackGraph, objectId: string): number {
  const utf8 = encodeText(objectId);
  const node = lowerBound(graph.objectIds, utf8);
  return node < graph.nodeCount && compareTextTo(graph.objectIds, node, utf8) === 0 ? node : NO_NODE;
}

/**
 * Finds a node by an id that a user or client typed. Most ids are stored in upper case; ids of case-sensitive
 * sources keep their case.
 * @returns the node with exactly that id, or else the node with the id in upper case
 */
export function findNamedNode(graph: AttackGraph, objectId: string): number {
  const node = findNode(graph, objectId);
  return node === NO_NODE ? findNode(graph, objectId.toUpperCase()) : node;
}

/** @returns the id of the object that `findNamedNode` finds, or the text in upper case if it finds none */
export function namedObjectId(graph: AttackGraph, objectId: string): string {
  return findNode(graph, objectId) === NO_NODE ? objectId.toUpperCase() : objectId;
}

/** @returns the nodes whose object ids begin with `prefix`: numbers `first` .. `end` - 1. */
export function findNodesByPrefix(graph: AttackGraph, prefix: string): { first: number; end: number } {
  const utf8 = encodeText(prefix);
  const first = lowerBound(graph.objectIds, utf8);
  let end = graph.nodeCount;
  for (let low = first; low < end; ) {
    const middle = (low + end) >>> 1;
    if (textStartsWith(graph.objectIds, middle, utf8)) low = middle + 1;
    else end = middle;
  }
  return { first, end };
}

export function objectIdOf(graph: AttackGraph, node: number): string {
  return decodeText(graph.objectIds, node);
}

/** @returns the name; empty for a node without a name */
export function nameOf(graph: AttackGraph, node: number): string {
  return decodeText(graph.names, node);
}

/** @returns kind numbers in stored order; nodes with the same kinds share one list */
export function kindsOf(graph: AttackGraph, node: number): readonly number[] {
  return graph.kindSets[graph.kindSetOf[node]];
}

export function hasKind(graph: AttackGraph, node: number, kind: number): boolean {
  return kindTest(graph, kind)[graph.kindSetOf[node]] === 1;
}

const kindTests = new WeakMap<AttackGraph['kindSets'], Map<number, Uint8Array>>();

/**
 * For loops over many nodes: `test[graph.kindSetOf[node]] === 1`. Cached with the graph.
 * @returns for each kind set, 1 if it contains the kind, else 0
 */
export function kindTest(graph: AttackGraph, kind: number): Uint8Array {
  // Does not use `getOrMake`: `hasKind` is called in loops over all nodes, where even creating an unused
  // closure is expensive.
  let tests = kindTests.get(graph.kindSets);
  if (tests === undefined) {
    tests = new Map();
    kindTests.set(graph.kindSets, tests);
  }
  let test = tests.get(kind);
  if (test === undefined) {
    test = Uint8Array.from(graph.kindSets, (kinds) => (kinds.includes(kind) ? 1 : 0));
    tests.set(kind, test);
  }
  return test;
}

/** @returns the nodes with at least one of the kinds, in O(matching nodes) */
export function nodesOfKind(graph: AttackGraph, ...kinds: readonly number[]): NodeSet {
  const { offsets, places: nodes } = nodesByKindSet(graph);
  const sets: Uint32Array[] = [];
  const tests = kinds.map((kind) => kindTest(graph, kind));
  for (let set = 0; set < graph.kindSets.length; set++)
    if (tests.some((test) => test[set] === 1)) sets.push(nodes.subarray(offsets[set], offsets[set + 1]));
  return NodeSet.ofLists(graph.nodeCount, sets);
}

const byKindSet = new WeakMap<AttackGraph['kindSetOf'], PlacesByRow>();

/** Makes two passes over all nodes, on the first call for a graph. @returns the nodes of each kind set, ascending */
const nodesByKindSet = ({ kindSetOf, kindSets }: AttackGraph): PlacesByRow =>
  getOrMake(byKindSet, kindSetOf, () => placesByRow(kindSetOf, kindSets.length));

/**
 * Binary search in the row of `start`.
 * @returns the number of the edge, or `NO_EDGE`
 */
export function findEdge(graph: AttackGraph, start: number, kind: number, end: number): number {
  const { offsets, neighbors, kinds } = graph.out;
  let low = offsets[start];
  let high = offsets[start + 1];
  const rowEnd = high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = neighbors[middle] - end || kinds[middle] - kind;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return low < rowEnd && neighbors[low] === end && kinds[low] === kind ? low : NO_EDGE;
}

/** @returns the node at which edge `edge` starts. */
export function startOf(graph: AttackGraph, edge: number): number {
  const { offsets } = graph.out;
  let low = 0;
  let high = graph.nodeCount;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (offsets[middle] <= edge) low = middle;
    else high = middle;
  }
  return low;
}

/** @returns the node at which edge `edge` ends. */
export function endOf(graph: AttackGraph, edge: number): number {
  return graph.out.neighbors[edge];
}

/** @returns the kind number of edge `edge`. */
export function edgeKindOf(graph: AttackGraph, edge: number): number {
  return graph.out.kinds[edge];
}

/** Node columns of a graph, without edges, environments and store ids. */
export type NodeColumns = Pick<AttackGraph, 'nodeCount' | 'kindSetOf' | 'kindSets' | 'objectIds' | 'names'>;

export function nodeColumnsOf({
  nodeCount,
  kindSetOf,
  kindSets,
  objectIds,
  names,
}: AttackGraph): NodeColumns {
  return { nodeCount, kindSetOf, kindSets, objectIds, names };
}

/**
 * Whether two graphs have the same nodes: numbers, object ids, names and kinds. Takes about as long as comparing
 * the memory.
 */
export function haveSameNodes(a: NodeColumns, b: NodeColumns): boolean {
  return (
    a.nodeCount === b.nodeCount &&
    isSameMemory(a.kindSetOf, b.kindSetOf) &&
    JSON.stringify(a.kindSets) === JSON.stringify(b.kindSets) &&
    [a.objectIds, a.names].every((texts, at) => {
      const others = [b.objectIds, b.names][at];
      return isSameMemory(texts.offsets, others.offsets) && isSameMemory(texts.bytes, others.bytes);
    })
  );
}

function isSameMemory(a: Uint8Array | Uint16Array | Uint32Array, b: typeof a): boolean {
  const bytesOf = ({ buffer, byteOffset, byteLength }: typeof a): Buffer =>
    Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
  return a.byteLength === b.byteLength && bytesOf(a).equals(bytesOf(b));
}
