/**
 * Builds a graph in which edges with a parallel marker edge have a different kind. It shares all columns except
 * kinds with the original graph, so edge numbers are the same in both.
 */
import type { Adjacency, AttackGraph } from '../columns/attackGraph.ts';
import { noteRenamed, placesOfKind, visitPlaces } from '../columns/edgePlaces.ts';
import { columnMemory } from '../columns/spareColumns.ts';

/** @param kindOf maps an edge kind to the kind of marked edges @returns the graph itself if no edge is marked */
export function withMarkedKinds(
  graph: AttackGraph,
  marker: number,
  kindOf: ReadonlyMap<number, number>,
): AttackGraph {
  const out = markRows(graph.out, marker, kindOf);
  return out === graph.out ? graph : { ...graph, out, in: markRows(graph.in, marker, kindOf) };
}

function markRows(rows: Adjacency, marker: number, kindOf: ReadonlyMap<number, number>): Adjacency {
  const { offsets, neighbors, kinds } = rows;
  const places = placesOfKind(rows, marker) ?? allPlaces(kinds, marker);
  if (places.length === 0) return rows;
  const marked = new Uint16Array(columnMemory(kinds.byteLength), 0, kinds.length);
  marked.set(kinds);
  visitPlaces(rows, places, (row, place) => {
    // Edges between the same nodes are adjacent.
    let at = place;
    while (at > offsets[row] && neighbors[at - 1] === neighbors[place]) at--;
    for (; at < offsets[row + 1] && neighbors[at] === neighbors[place]; at++)
      marked[at] = kindOf.get(kinds[at]) ?? marked[at];
  });
  const renamed = { ...rows, kinds: marked };
  noteRenamed(renamed, rows, new Set([...kindOf.keys(), ...kindOf.values()]));
  return renamed;
}

function allPlaces(kinds: Uint16Array, kind: number): Uint32Array {
  const places: number[] = [];
  for (let at = 0; at < kinds.length; at++) if (kinds[at] === kind) places.push(at);
  return Uint32Array.from(places);
}
