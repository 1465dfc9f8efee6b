/**
 * Sorts edges into compressed sparse rows. Each edge is packed into one double, moved to its part of the node
 * range first, and to its row second. With 10 M edges over 1 M nodes, this takes a quarter of the time of writing
 * each edge directly to its row, because each such write causes a cache miss.
 */

import type { Adjacency } from '../columns/attackGraph.ts';
import { GraphBuildError } from '../columns/graphBuildError.ts';
import { sumCounts } from '../columns/rowPlaces.ts';
import type { EdgeChunk } from './edgeList.ts';

/** An entry of a row: neighbor * 2^24 + kind * 2^8 + flags, so that numeric order is row order. */
const NEIGHBOR_UNIT = 2 ** 24;
const KIND_UNIT = 2 ** 8;
/** Limit that keeps entries below 2^53, where doubles are exact. */
const MAX_NODES = 2 ** 29;
const MAX_EDGES = 0xffff_ffff;
/** Number of parts of the node range for the first pass. */
const PARTS = 64;
/** Longer rows use the built-in sort. */
const LONG_ROW = 40;

/**
 * Takes linear time in nodes and edges, plus the time to sort unordered rows. @param chunks emptied, to free their
 * memory while rows are built @param unanimousFlags bits that an edge keeps only if all its duplicates have them;
 * other bits are combined
 * @returns the outgoing rows, sorted by (end, kind), without duplicates
 * @throws GraphBuildError for a node number beyond `nodeCount`, or too many nodes or edges for the columns
 */
export function buildOutgoing(nodeCount: number, chunks: EdgeChunk[], unanimousFlags: number): Adjacency {
  const offsets = countRows(nodeCount, chunks);
  const entries = placeInRows(offsets, chunks);
  sortRows(offsets, entries);
  return unpackRows(offsets, entries, mergeDuplicates(offsets, entries, unanimousFlags));
}

/** @returns the same edges grouped by end: rows sorted by (start, kind) */
export function buildIncoming(outgoing: Adjacency): Adjacency {
  const nodeCount = outgoing.offsets.length - 1;
  const ends = new Uint32Array(outgoing.neighbors.length);
  for (let node = 0; node < nodeCount; node++) {
    ends.fill(node, outgoing.offsets[node], outgoing.offsets[node + 1]);
  }
  const chunks = [{ starts: outgoing.neighbors, kinds: outgoing.kinds, ends, flags: outgoing.flags }];
  // Entries are in the order of the outgoing rows, so no sorting or merging is needed.
  const offsets = countRows(nodeCount, chunks);
  const entries = placeInRows(offsets, chunks);
  return unpackRows(offsets, entries, entries.length);
}

/**
 * Merges two sets of rows over the same nodes in one pass.
 * @returns rows that contain each edge once, with duplicates merged as in `buildOutgoing`
 */
export function mergeAdjacency(a: Adjacency, b: Adjacency, unanimousFlags: number): Adjacency {
  const nodeCount = a.offsets.length - 1;
  const offsets = new Uint32Array(nodeCount + 1);
  const entries = new Float64Array(a.neighbors.length + b.neighbors.length);
  let used = 0;
  for (let node = 0; node < nodeCount; node++) {
    let atA = a.offsets[node];
    let atB = b.offsets[node];
    const endA = a.offsets[node + 1];
    const endB = b.offsets[node + 1];
    while (atA < endA || atB < endB) {
      const entryA = atA < endA ? entryAt(a, atA) : Number.POSITIVE_INFINITY;
      const entryB = atB < endB ? entryAt(b, atB) : Number.POSITIVE_INFINITY;
      if (entryA <= entryB) atA++;
      else atB++;
      entries[used++] = Math.min(entryA, entryB);
    }
    offsets[node + 1] = used;
  }
  return unpackRows(offsets, entries, mergeDuplicates(offsets, entries, unanimousFlags));
}

function packEntry(neighbor: number, kind: number, flags: number): number {
  return neighbor * NEIGHBOR_UNIT + kind * KIND_UNIT + flags;
}

function entryAt(rows: Adjacency, at: number): number {
  return packEntry(rows.neighbors[at], rows.kinds[at], rows.flags[at]);
}

/** @returns offsets of the rows, including duplicates */
function countRows(nodeCount: number, chunks: readonly EdgeChunk[]): Uint32Array {
  if (nodeCount > MAX_NODES) throw new GraphBuildError(`a graph holds at most ${MAX_NODES} nodes`);
  const offsets = new Uint32Array(nodeCount + 1);
  let edgeCount = 0;
  for (const { starts, ends } of chunks) {
    edgeCount += starts.length;
    for (let edge = 0; edge < starts.length; edge++) {
      if (starts[edge] >= nodeCount || ends[edge] >= nodeCount) {
        throw new GraphBuildError(
          `edge ${starts[edge]} -> ${ends[edge]} leaves the graph of ${nodeCount} nodes`,
        );
      }
      offsets[starts[edge] + 1]++;
    }
  }
  if (edgeCount > MAX_EDGES) throw new GraphBuildError(`a graph holds at most ${MAX_EDGES} edges`);
  return sumCounts(offsets);
}

/** @returns entries in row order, and in chunk order within a row; empties the chunks */
function placeInRows(offsets: Uint32Array, chunks: EdgeChunk[]): Float64Array {
  const nodeCount = offsets.length - 1;
  const edgeCount = offsets[nodeCount];
  const { rows, entries } = placeInParts(offsets, chunks);
  chunks.length = 0;
  const next = offsets.slice(0, nodeCount);
  const placed = new Float64Array(edgeCount);
  for (let edge = 0; edge < edgeCount; edge++) placed[next[rows[edge]]++] = entries[edge];
  return placed;
}

/** Moves edges to their part of the node range, in chunk order within each part. */
function placeInParts(offsets: Uint32Array, chunks: readonly EdgeChunk[]) {
  const nodeCount = offsets.length - 1;
  const rows = new Uint32Array(offsets[nodeCount]);
  const entries = new Float64Array(offsets[nodeCount]);
  const shift = Math.max(0, Math.ceil(Math.log2(Math.max(1, nodeCount) / PARTS)));
  const next = new Uint32Array((nodeCount >>> shift) + 1);
  for (let part = 0; part < next.length; part++) next[part] = offsets[Math.min(part << shift, nodeCount)];
  for (const { starts, kinds, ends, flags } of chunks) {
    for (let edge = 0; edge < starts.length; edge++) {
      const at = next[starts[edge] >>> shift]++;
      rows[at] = starts[edge];
      entries[at] = packEntry(ends[edge], kinds[edge], flags[edge]);
    }
  }
  return { rows, entries };
}

function sortRows(offsets: Uint32Array, entries: Float64Array): void {
  for (let node = 0; node + 1 < offsets.length; node++) {
    const first = offsets[node];
    const end = offsets[node + 1];
    if (end - first > LONG_ROW) entries.subarray(first, end).sort();
    else sortShortRow(entries, first, end);
  }
}

/** Insertion sort. */
function sortShortRow(entries: Float64Array, first: number, end: number): void {
  for (let at = first + 1; at < end; at++) {
    const entry = entries[at];
    let free = at;
    for (; free > first && entries[free - 1] > entry; free--) entries[free] = entries[free - 1];
    entries[free] = entry;
  }
}

/** Merges duplicates in place, in `entries` and `offsets`. @returns the number of remaining entries */
function mergeDuplicates(offsets: Uint32Array, entries: Float64Array, unanimousFlags: number): number {
  let used = 0;
  let at = 0;
  for (let node = 0; node + 1 < offsets.length; node++) {
    const rowStart = used;
    const rowEnd = offsets[node + 1];
    let last = -1;
    for (; at < rowEnd; at++) {
      const identity = Math.floor(entries[at] / KIND_UNIT);
      if (used > rowStart && identity === last) {
        const merged = mergeFlags(entries[used - 1] % KIND_UNIT, entries[at] % KIND_UNIT, unanimousFlags);
        entries[used - 1] = identity * KIND_UNIT + merged;
      } else {
        entries[used++] = entries[at];
        last = identity;
      }
    }
    offsets[node + 1] = used;
  }
  return used;
}

function mergeFlags(a: number, b: number, unanimousFlags: number): number {
  return ((a | b) & ~unanimousFlags) | (a & b & unanimousFlags);
}

/** @returns rows in shared memory, trimmed to size */
function unpackRows(offsets: Uint32Array, entries: Float64Array, edgeCount: number): Adjacency {
  const sharedOffsets = new Uint32Array(new SharedArrayBuffer(offsets.byteLength));
  sharedOffsets.set(offsets);
  const neighbors = new Uint32Array(new SharedArrayBuffer(edgeCount * 4));
  const kinds = new Uint16Array(new SharedArrayBuffer(edgeCount * 2));
  const flags = new Uint8Array(new SharedArrayBuffer(edgeCount));
  for (let edge = 0; edge < edgeCount; edge++) {
    const neighbor = Math.floor(entries[edge] / NEIGHBOR_UNIT);
    const kindAndFlags = entries[edge] - neighbor * NEIGHBOR_UNIT;
    neighbors[edge] = neighbor;
    kinds[edge] = kindAndFlags >>> 8;
    flags[edge] = kindAndFlags & 0xff;
  }
  return { offsets: sharedOffsets, neighbors, kinds, flags };
}
