/**
 * Moves the edges of a graph to a changed set of nodes: nodes were added or removed, and the remaining ones have
 * new numbers.
 */
import { type Adjacency, type AttackGraph, NO_NODE } from '../columns/attackGraph.ts';

/**
 * O(nodes + edges). Edges of removed nodes are dropped.
 * @param nodes a graph with the new nodes; its edges are ignored @param numberOf new number of each node of
 * `graph`, ascending; NO_NODE for a removed node
 */
export function withNodes(graph: AttackGraph, nodes: AttackGraph, numberOf: Uint32Array): AttackGraph {
  const out = renumberedRows(graph.out, nodes.nodeCount, numberOf);
  return {
    ...nodes,
    edgeCount: out.neighbors.length,
    out,
    in: renumberedRows(graph.in, nodes.nodeCount, numberOf),
  };
}

function renumberedRows(rows: Adjacency, nodeCount: number, numberOf: Uint32Array): Adjacency {
  const count = countKept(rows, numberOf);
  const offsets = new Uint32Array(new SharedArrayBuffer((nodeCount + 1) * 4));
  const neighbors = new Uint32Array(new SharedArrayBuffer(count * 4));
  const kinds = new Uint16Array(new SharedArrayBuffer(count * 2));
  const flags = new Uint8Array(new SharedArrayBuffer(count));
  let used = 0;
  let next = 0;
  for (let node = 0; node < numberOf.length; node++) {
    const row = numberOf[node];
    if (row === NO_NODE) continue;
    for (; next <= row; next++) offsets[next] = used;
    for (let at = rows.offsets[node]; at < rows.offsets[node + 1]; at++) {
      const neighbor = numberOf[rows.neighbors[at]];
      if (neighbor === NO_NODE) continue;
      neighbors[used] = neighbor;
      kinds[used] = rows.kinds[at];
      flags[used++] = rows.flags[at];
    }
  }
  offsets.fill(used, next);
  return { offsets, neighbors, kinds, flags };
}

function countKept(rows: Adjacency, numberOf: Uint32Array): number {
  let count = 0;
  for (let node = 0; node < numberOf.length; node++) {
    if (numberOf[node] === NO_NODE) continue;
    for (let at = rows.offsets[node]; at < rows.offsets[node + 1]; at++)
      if (numberOf[rows.neighbors[at]] !== NO_NODE) count++;
  }
  return count;
}
