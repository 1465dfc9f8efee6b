/**
 * A graph with a few edges more or less. What stands between two changes is copied in one piece, so the time is that of
 * copying memory: at 10 M edges a tenth of a second, whatever the number of changes up to some thousands.
 */
import type { Adjacency, AttackGraph } from '../columns/attackGraph.ts';
import { findEdge, NO_EDGE } from '../columns/lookup.ts';

export interface EdgeTriple {
  readonly start: number;
  readonly kind: number;
  readonly end: number;
}

export interface NewEdge extends EdgeTriple {
  readonly flags?: number;
}

export interface EdgeChanges {
  /** Those that are not there are passed over. */
  readonly removed?: readonly EdgeTriple[];
  /** Those that are there already, and are not removed, stay as they are. */
  readonly added?: readonly NewEdge[];
}

/** @returns the graph itself when nothing changes; nodes and their numbers stay, those of edges do not. */
export function changeEdges(graph: AttackGraph, { removed = [], added = [] }: EdgeChanges): AttackGraph {
  const gone = new Map(
    removed
      .filter(({ start, kind, end }) => findEdge(graph, start, kind, end) !== NO_EDGE)
      .map((edge) => [keyOf(edge), edge]),
  );
  const fresh = new Map<string, NewEdge>();
  for (const edge of added) {
    const key = keyOf(edge);
    const isThere = findEdge(graph, edge.start, edge.kind, edge.end) !== NO_EDGE;
    if (isThere && gone.has(key)) gone.delete(key);
    else if (!isThere) fresh.set(key, edge);
  }
  if (gone.size + fresh.size === 0) return graph;
  const out = changeRows(graph.out, [...gone.values()].map(outward), [...fresh.values()].map(outward));
  const back = changeRows(graph.in, [...gone.values()].map(inward), [...fresh.values()].map(inward));
  return { ...graph, edgeCount: out.neighbours.length, out, in: back };
}

const keyOf = ({ start, kind, end }: EdgeTriple): string => `${start} ${kind} ${end}`;

/** An edge as an entry of one direction. */
interface Entry {
  readonly row: number;
  readonly neighbour: number;
  readonly kind: number;
  readonly flags: number;
}

const outward = ({ start, kind, end, flags = 0 }: NewEdge): Entry => ({
  ...{ row: start, neighbour: end, kind, flags },
});
const inward = ({ start, kind, end, flags = 0 }: NewEdge): Entry => ({
  ...{ row: end, neighbour: start, kind, flags },
});

/** One change of a direction: an entry is left out at its place, or put before it. */
interface Change extends Entry {
  readonly at: number;
  readonly isNew: boolean;
}

function changeRows(rows: Adjacency, removed: readonly Entry[], added: readonly Entry[]): Adjacency {
  const changes: Change[] = [
    ...removed.map((entry) => ({ ...entry, at: placeOf(rows, entry), isNew: false })),
    ...added.map((entry) => ({ ...entry, at: placeOf(rows, entry), isNew: true })),
  ].sort((a, b) => a.at - b.at || a.row - b.row || a.neighbour - b.neighbour || a.kind - b.kind);
  const count = rows.neighbours.length - removed.length + added.length;
  const neighbours = new Uint32Array(new SharedArrayBuffer(count * 4));
  const kinds = new Uint16Array(new SharedArrayBuffer(count * 2));
  const flags = new Uint8Array(new SharedArrayBuffer(count));
  let from = 0;
  let used = 0;
  const copyTo = (end: number): void => {
    neighbours.set(rows.neighbours.subarray(from, end), used);
    kinds.set(rows.kinds.subarray(from, end), used);
    flags.set(rows.flags.subarray(from, end), used);
    used += end - from;
    from = end;
  };
  for (const change of changes) {
    copyTo(change.at);
    if (change.isNew) {
      neighbours[used] = change.neighbour;
      kinds[used] = change.kind;
      flags[used] = change.flags;
      used++;
    } else from++;
  }
  copyTo(rows.neighbours.length);
  return { offsets: shiftOffsets(rows.offsets, changes), neighbours, kinds, flags };
}

/** @returns where the entry stands, or the place before which it belongs. */
function placeOf({ offsets, neighbours, kinds }: Adjacency, { row, neighbour, kind }: Entry): number {
  let low = offsets[row];
  let high = offsets[row + 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const before = neighbours[middle] - neighbour || kinds[middle] - kind;
    if (before < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function shiftOffsets(before: Uint32Array, changes: readonly Change[]): Uint32Array {
  const offsets = new Uint32Array(new SharedArrayBuffer(before.byteLength));
  const byRow = changes.map(({ row, isNew }) => ({ row, by: isNew ? 1 : -1 })).sort((a, b) => a.row - b.row);
  let shift = 0;
  let next = 0;
  for (let row = 0; row < before.length; row++) {
    offsets[row] = before[row] + shift;
    for (; next < byRow.length && byRow[next].row === row; next++) shift += byRow[next].by;
  }
  return offsets;
}
