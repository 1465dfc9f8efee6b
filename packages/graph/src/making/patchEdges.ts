/**
 * Builds a graph with some edges added, removed or given other flags. Runs of unchanged edges are copied as
 * blocks, so it takes about as long as copying the memory: a tenth of a second for 10 M edges and up to several
 * hundred thousand changes.
 */
import type { Adjacency, AttackGraph } from '../columns/attackGraph.ts';
import { notePatched, type RowChange } from '../columns/edgePlaces.ts';
import { columnMemory } from '../columns/spareColumns.ts';

/** Flags that represent a missing edge. */
export const GONE = -1;

/** New state of the edges, in parallel columns, in any order, without duplicate (start, kind, end). */
export interface EdgePatch {
  readonly starts: Uint32Array;
  readonly kinds: Uint16Array;
  readonly ends: Uint32Array;
  /** `GONE` for removed edges. */
  readonly flags: Int16Array;
}

/** @returns the graph itself if nothing changes. Node numbers stay the same, edge numbers do not. */
export function patchEdges(graph: AttackGraph, { starts, kinds, ends, flags }: EdgePatch): AttackGraph {
  const out = patchRows(graph.out, { rows: starts, neighbors: ends, kinds, flags });
  if (out === graph.out) return graph;
  const back = patchRows(graph.in, { rows: ends, neighbors: starts, kinds, flags });
  return { ...graph, edgeCount: out.neighbors.length, out, in: back };
}

/** The entries of a patch in one direction. */
interface Entries {
  readonly rows: Uint32Array;
  readonly neighbors: Uint32Array;
  readonly kinds: Uint16Array;
  readonly flags: Int16Array;
}

function patchRows(rows: Adjacency, entries: Entries): Adjacency {
  const changes = placedChanges(rows, entries);
  if (changes.length === 0) return rows;
  const growth = changes.reduce((sum, { growth }) => sum + growth, 0);
  const count = rows.neighbors.length + growth;
  const neighbors = new Uint32Array(columnMemory(count * 4), 0, count);
  const kinds = new Uint16Array(columnMemory(count * 2), 0, count);
  const flags = new Uint8Array(columnMemory(count), 0, count);
  let from = 0;
  let used = 0;
  const copyTo = (end: number): void => {
    neighbors.set(rows.neighbors.subarray(from, end), used);
    kinds.set(rows.kinds.subarray(from, end), used);
    flags.set(rows.flags.subarray(from, end), used);
    used += end - from;
    from = end;
  };
  for (const { at, entry, growth } of changes) {
    copyTo(at);
    if (growth < 1) from++;
    if (growth < 0) continue;
    neighbors[used] = entries.neighbors[entry];
    kinds[used] = entries.kinds[entry];
    flags[used++] = entries.flags[entry];
  }
  copyTo(rows.neighbors.length);
  const patched = { offsets: shiftedOffsets(rows.offsets, entries, changes), neighbors, kinds, flags };
  notePatched(patched, rows, changes);
  return patched;
}

interface Change extends RowChange {
  /** Index into the patch. */
  readonly entry: number;
}

/** @returns the changes of the entries, in row order */
function placedChanges(rows: Adjacency, entries: Entries): Change[] {
  const changes: Change[] = [];
  for (const entry of inOrderOfRows(entries)) {
    const [row, neighbor, kind] = [entries.rows[entry], entries.neighbors[entry], entries.kinds[entry]];
    const at = placeOf(rows, row, neighbor, kind);
    const isThere = at < rows.offsets[row + 1] && rows.neighbors[at] === neighbor && rows.kinds[at] === kind;
    const flags = entries.flags[entry];
    if (isThere ? flags === rows.flags[at] : flags === GONE) continue;
    changes.push({ at, entry, kind, growth: (flags === GONE ? 0 : 1) - (isThere ? 1 : 0) });
  }
  return changes;
}

function inOrderOfRows({ rows, neighbors, kinds }: Entries): Uint32Array {
  return Uint32Array.from(rows, (_, entry) => entry).sort(
    (a, b) => rows[a] - rows[b] || neighbors[a] - neighbors[b] || kinds[a] - kinds[b],
  );
}

/** @returns the index of the entry, or the index to insert it at */
function placeOf(
  { offsets, neighbors, kinds }: Adjacency,
  row: number,
  neighbor: number,
  kind: number,
): number {
  let low = offsets[row];
  let high = offsets[row + 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const before = neighbors[middle] - neighbor || kinds[middle] - kind;
    if (before < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function shiftedOffsets(before: Uint32Array, { rows }: Entries, changes: readonly Change[]): Uint32Array {
  const offsets = new Uint32Array(columnMemory(before.byteLength), 0, before.length);
  let shift = 0;
  let next = 0;
  for (let row = 0; row < before.length; row++) {
    offsets[row] = before[row] + shift;
    for (; next < changes.length && rows[changes[next].entry] === row; next++) shift += changes[next].growth;
  }
  return offsets;
}
