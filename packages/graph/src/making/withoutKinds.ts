/** Builds a graph without the edges of some kinds. */
import type { Adjacency, AttackGraph } from '../columns/attackGraph.ts';
import { columnMemory } from '../columns/spareColumns.ts';

export const Drop = { none: 0, flagged: 1, all: 2 } as const;

/**
 * O(edges).
 * @param drops one entry per kind number: `Drop.flagged` or `Drop.all` for kinds to drop @param flags bits that a
 * flagged edge must all have; 0 matches every edge
 */
export function withoutKinds(graph: AttackGraph, drops: Uint8Array, flags = 0): AttackGraph {
  const out = filterRows(graph.out, drops, flags);
  if (out.neighbors.length === graph.edgeCount) return graph;
  return { ...graph, edgeCount: out.neighbors.length, out, in: filterRows(graph.in, drops, flags) };
}

function filterRows(rows: Adjacency, drops: Uint8Array, flags: number): Adjacency {
  const goes = (at: number): boolean => {
    const drop = drops[rows.kinds[at]];
    return drop !== Drop.none && (drop === Drop.all || (rows.flags[at] & flags) === flags);
  };
  let count = 0;
  for (let at = 0; at < rows.neighbors.length; at++) if (!goes(at)) count++;
  if (count === rows.neighbors.length) return rows;
  const offsets = new Uint32Array(columnMemory(rows.offsets.byteLength), 0, rows.offsets.length);
  const neighbors = new Uint32Array(columnMemory(count * 4), 0, count);
  const kinds = new Uint16Array(columnMemory(count * 2), 0, count);
  const kept = new Uint8Array(columnMemory(count), 0, count);
  offsets[0] = 0;
  let used = 0;
  for (let row = 0; row + 1 < rows.offsets.length; row++) {
    for (let at = rows.offsets[row]; at < rows.offsets[row + 1]; at++) {
      if (goes(at)) continue;
      neighbors[used] = rows.neighbors[at];
      kinds[used] = rows.kinds[at];
      kept[used++] = rows.flags[at];
    }
    offsets[row + 1] = used;
  }
  return { offsets, neighbors, kinds, flags: kept };
}
