/**
 * The edges of some kinds, collected and derived so far, as one adjacency. Derived edges are found by binary search, so the few hundred
 * edges of a rule never require a pass over all nodes.
 */
import {
  type AttackGraph,
  type EdgeFilter,
  edgesOfKind,
  findEdge,
  getOrMake,
  NO_EDGE,
  NodeSet,
  placesOfKind,
  visitPlaces,
} from '@clew/graph';
import type { DerivedKindEdges } from './derivedEdges.ts';
import { orderOfPairs } from './orderOfPairs.ts';

/** Keyed by kind numbers: a filter has an entry for every kind, and each question has a hundred views with the same few choices. */
const FILTERS = new Map<string, EdgeFilter>();

function filterOf(kinds: readonly number[]): EdgeFilter {
  const key = kinds.join();
  const filter = FILTERS.get(key) ?? edgesOfKind(...kinds);
  FILTERS.set(key, filter);
  return filter;
}

export type VisitNeighbor = (neighbor: number, kind: number, flags: number) => void;

export class EdgeView {
  /** Filter for the kinds of this view, for traversals of the graph package (which see only collected edges). */
  readonly filter: EdgeFilter;
  readonly #graph: AttackGraph;
  readonly #kinds: readonly number[];
  readonly #derived: readonly DerivedKindEdges[];
  #reversed: readonly DerivedKindEdges[] | undefined;

  constructor(graph: AttackGraph, kinds: readonly number[], derived: readonly DerivedKindEdges[]) {
    this.#graph = graph;
    this.#kinds = kinds;
    this.filter = filterOf(kinds);
    this.#derived = derived.filter((edges) => edges.starts.length > 0);
  }

  shows(kind: number): boolean {
    return this.filter.allows[kind] === 1;
  }

  /** Visits the edges that start at a node; an edge that is both collected and derived is visited twice. */
  outOf(node: number, visit: VisitNeighbor): void {
    visitRow(this.#graph.out, this.filter.allows, node, visit);
    for (const edges of this.#derived) visitDerived(edges, node, visit);
  }

  /** Visits the edges that end at a node. */
  into(node: number, visit: VisitNeighbor): void {
    visitRow(this.#graph.in, this.filter.allows, node, visit);
    if (this.#derived.length === 0) return;
    this.#reversed ??= this.#derived.map(reversed);
    for (const edges of this.#reversed) visitDerived(edges, node, visit);
  }

  /** Whether an edge starts at the node. */
  isStart(node: number): boolean {
    const { offsets, kinds } = this.#graph.out;
    for (let edge = offsets[node]; edge < offsets[node + 1]; edge++)
      if (this.filter.allows[kinds[edge]] === 1) return true;
    return this.#derived.some((edges) => edges.starts[firstFrom(edges, node)] === node);
  }

  /** Whether an edge leads from the node to one of the ends. */
  leadsTo(node: number, ends: NodeSet): boolean {
    const { offsets, kinds, neighbors } = this.#graph.out;
    for (let edge = offsets[node]; edge < offsets[node + 1]; edge++)
      if (this.filter.allows[kinds[edge]] === 1 && ends.has(neighbors[edge])) return true;
    return this.#derived.some((edges) => {
      for (let at = firstFrom(edges, node); edges.starts[at] === node; at++)
        if (ends.has(edges.ends[at])) return true;
      return false;
    });
  }

  /** Visits every edge: collected edges in ascending order of start, then derived edges. */
  forEach(visit: (start: number, kind: number, end: number, flags: number) => void): void {
    this.#forEachCollected(visit);
    for (const { kind, starts, ends, flags: bits } of this.#derived) {
      for (let at = 0; at < starts.length; at++) visit(starts[at], kind, ends[at], bits[at]);
    }
  }

  #forEachCollected(visit: (start: number, kind: number, end: number, flags: number) => void): void {
    const { out } = this.#graph;
    const { offsets, neighbors, kinds, flags } = out;
    const places = this.#kinds.length === 1 ? placesOfKind(out, this.#kinds[0]) : undefined;
    if (places !== undefined) {
      visitPlaces(out, places, (start, edge) => {
        visit(start, kinds[edge], neighbors[edge], flags[edge]);
      });
      return;
    }
    const { allows } = this.filter;
    for (let start = 0; start < this.#graph.nodeCount; start++) {
      for (let edge = offsets[start]; edge < offsets[start + 1]; edge++) {
        if (allows[kinds[edge]] === 1) visit(start, kinds[edge], neighbors[edge], flags[edge]);
      }
    }
  }

  /** @returns the kinds of the edges between two nodes. Fast even for a node with many edges */
  kindsBetween(start: number, end: number): number[] {
    const collected = this.#kinds.filter((kind) => findEdge(this.#graph, start, kind, end) !== NO_EDGE);
    const derived = this.#derived.filter((edges) => {
      for (let at = firstFrom(edges, start); edges.starts[at] === start; at++) {
        if (edges.ends[at] === end) return true;
      }
      return false;
    });
    return [...new Set([...collected, ...derived.map((edges) => edges.kind)])];
  }

  /** @returns ends of the edges from `node` */
  endsOf(node: number): NodeSet {
    const found: number[] = [];
    this.outOf(node, (end) => found.push(end));
    return NodeSet.of(this.#graph.nodeCount, found);
  }

  /** @returns starts of the edges to `node` */
  startsOf(node: number): NodeSet {
    const found: number[] = [];
    this.into(node, (start) => found.push(start));
    return NodeSet.of(this.#graph.nodeCount, found);
  }

  /** @returns nodes with an edge to at least one of `ends`, in O(edges into `ends`) */
  startsOfAny(ends: NodeSet): NodeSet {
    const words = new Uint32Array(Math.ceil(this.#graph.nodeCount / 32));
    const mark: VisitNeighbor = (start) => {
      words[start >>> 5] |= 1 << (start & 31);
    };
    ends.forEach((end) => {
      this.into(end, mark);
    });
    return NodeSet.ofBitmap(this.#graph.nodeCount, words);
  }
}

function visitRow(
  { offsets, neighbors, kinds, flags }: AttackGraph['out'],
  allows: Uint8Array,
  node: number,
  visit: VisitNeighbor,
): void {
  const rowEnd = offsets[node + 1];
  for (let edge = offsets[node]; edge < rowEnd; edge++) {
    if (allows[kinds[edge]] === 1) visit(neighbors[edge], kinds[edge], flags[edge]);
  }
}

function visitDerived(edges: DerivedKindEdges, node: number, visit: VisitNeighbor): void {
  const { kind, starts, ends, flags } = edges;
  for (let at = firstFrom(edges, node); starts[at] === node; at++) visit(ends[at], kind, flags[at]);
}

/** @returns the position of the first edge that starts at `node`, or its insertion point */
function firstFrom({ starts }: DerivedKindEdges, node: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (starts[middle] < node) low = middle + 1;
    else high = middle;
  }
  return low;
}

const reversals = new WeakMap<DerivedKindEdges, DerivedKindEdges>();

/** @returns the same edges with start and end swapped, without properties */
function reversed(edges: DerivedKindEdges): DerivedKindEdges {
  return getOrMake(reversals, edges, () => reverse(edges));
}

function reverse({ kind, starts, ends, flags }: DerivedKindEdges): DerivedKindEdges {
  const order = orderOfPairs(ends, starts);
  const turned = {
    kind,
    starts: new Uint32Array(order.length),
    ends: new Uint32Array(order.length),
    flags: new Uint8Array(order.length),
    properties: new Map(),
  };
  for (let at = 0; at < order.length; at++) {
    turned.starts[at] = ends[order[at]];
    turned.ends[at] = starts[order[at]];
    turned.flags[at] = flags[order[at]];
  }
  return turned;
}
