/** Builds a graph with a few edges added or removed, given as triples. */
import type { AttackGraph } from '../columns/attackGraph.ts';
import { findEdge, NO_EDGE } from '../columns/lookup.ts';
import { GONE, patchEdges } from './patchEdges.ts';

export interface EdgeTriple {
  readonly start: number;
  readonly kind: number;
  readonly end: number;
}

export interface NewEdge extends EdgeTriple {
  readonly flags?: number;
}

export interface EdgeChanges {
  /** Edges to remove; missing edges are ignored. */
  readonly removed?: readonly EdgeTriple[];
  /** Edges to add; existing edges stay unchanged, even if they are also in `removed`. */
  readonly added?: readonly NewEdge[];
}

/** @returns the graph itself if nothing changes. Node numbers stay the same, edge numbers do not. */
export function changeEdges(graph: AttackGraph, { removed = [], added = [] }: EdgeChanges): AttackGraph {
  const changed = new Map<string, NewEdge>();
  for (const edge of removed) changed.set(edgeKey(edge), { ...edge, flags: GONE });
  for (const edge of added) {
    const isThere = findEdge(graph, edge.start, edge.kind, edge.end) !== NO_EDGE;
    if (isThere) changed.delete(edgeKey(edge));
    else changed.set(edgeKey(edge), edge);
  }
  const edges = [...changed.values()];
  return patchEdges(graph, {
    starts: Uint32Array.from(edges, ({ start }) => start),
    kinds: Uint16Array.from(edges, ({ kind }) => kind),
    ends: Uint32Array.from(edges, ({ end }) => end),
    flags: Int16Array.from(edges, ({ flags = 0 }) => flags),
  });
}

/** The same for the same ends and kind, in one graph. */
export const edgeKey = ({ start, kind, end }: EdgeTriple): string => `${start} ${kind} ${end}`;
