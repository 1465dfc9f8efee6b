/**
 * Edges in any order to compressed sparse rows, by stable counting sorts only: O(nodes + edges + 65536) steps
 * whatever the degrees, so a hub or a million parallel edges cost no more than others.
 */
import type { Adjacency } from './attackGraph.ts';
import type { EdgeChunk } from './edgeList.ts';
import { GraphBuildError } from './graphBuildError.ts';

const KIND_COUNT = 0x1_0000;

/** Columns of edges in the order of rows, not yet in their final buffers. */
interface Rows {
  readonly offsets: Uint32Array;
  readonly neighbours: Uint32Array;
  readonly kinds: Uint16Array;
  readonly flags: Uint8Array;
}

/**
 * @param chunks emptied, so that their memory can go while rows are built
 * @param unanimousFlags bits that an edge keeps only when all its repetitions have them; other bits are united
 * @returns the outgoing rows in ascending order of (end, kind), each (start, kind, end) once
 * @throws GraphBuildError for a node number beyond `nodeCount`
 */
export function buildOutgoing(nodeCount: number, chunks: EdgeChunk[], unanimousFlags: number): Adjacency {
  return sealRows(
    uniteRepetitions(
      sortByStart(nodeCount, sortByEnd(nodeCount, sortByKind(nodeCount, chunks))),
      unanimousFlags,
    ),
  );
}

/** @returns the same edges seen from their ends: rows in ascending order of (start, kind). */
export function buildIncoming(outgoing: Adjacency): Adjacency {
  const nodeCount = outgoing.offsets.length - 1;
  const edgeCount = outgoing.neighbours.length;
  const incoming = newAdjacency(nodeCount, edgeCount);
  const { offsets, neighbours, kinds, flags } = incoming;
  for (let edge = 0; edge < edgeCount; edge++) offsets[outgoing.neighbours[edge] + 1]++;
  const next = startsOfRows(offsets);
  for (let start = 0; start < nodeCount; start++) {
    const rowEnd = outgoing.offsets[start + 1];
    for (let edge = outgoing.offsets[start]; edge < rowEnd; edge++) {
      const at = next[outgoing.neighbours[edge]]++;
      neighbours[at] = start;
      kinds[at] = outgoing.kinds[edge];
      flags[at] = outgoing.flags[edge];
    }
  }
  return incoming;
}

/**
 * Merges two sets of rows over the same nodes in one pass.
 * @returns rows that hold each edge once, repetitions united as in `buildOutgoing`
 */
export function mergeAdjacency(a: Adjacency, b: Adjacency, unanimousFlags: number): Adjacency {
  const nodeCount = a.offsets.length - 1;
  const { offsets, neighbours, kinds, flags } = newRows(nodeCount, a.neighbours.length + b.neighbours.length);
  let used = 0;
  for (let node = 0; node < nodeCount; node++) {
    let atA = a.offsets[node];
    let atB = b.offsets[node];
    const endA = a.offsets[node + 1];
    const endB = b.offsets[node + 1];
    while (atA < endA || atB < endB) {
      const order = atA === endA ? 1 : atB === endB ? -1 : compareEntries(a, atA, b, atB);
      const source = order <= 0 ? a : b;
      const at = order <= 0 ? atA : atB;
      neighbours[used] = source.neighbours[at];
      kinds[used] = source.kinds[at];
      flags[used++] = order === 0 ? uniteFlags(a.flags[atA], b.flags[atB], unanimousFlags) : source.flags[at];
      if (order <= 0) atA++;
      if (order >= 0) atB++;
    }
    offsets[node + 1] = used;
  }
  return sealRows({
    offsets,
    neighbours: neighbours.subarray(0, used),
    kinds: kinds.subarray(0, used),
    flags: flags.subarray(0, used),
  });
}

function compareEntries(a: Adjacency, atA: number, b: Adjacency, atB: number): number {
  return a.neighbours[atA] - b.neighbours[atB] || a.kinds[atA] - b.kinds[atB];
}

function uniteFlags(a: number, b: number, unanimousFlags: number): number {
  return ((a | b) & ~unanimousFlags) | (a & b & unanimousFlags);
}

/** @returns edges grouped by kind; the kind of an edge follows from `offsets`. */
function sortByKind(nodeCount: number, chunks: EdgeChunk[]) {
  const offsets = new Uint32Array(KIND_COUNT + 1);
  let edgeCount = 0;
  for (const chunk of chunks) {
    countKinds(nodeCount, chunk, offsets);
    edgeCount += chunk.starts.length;
  }
  if (edgeCount > 0xffff_ffff) throw new GraphBuildError('a graph holds at most 4,294,967,295 edges');
  const next = startsOfRows(offsets);
  const sorted = {
    offsets,
    starts: new Uint32Array(edgeCount),
    ends: new Uint32Array(edgeCount),
    flags: new Uint8Array(edgeCount),
  };
  for (const chunk of chunks) {
    for (let edge = 0; edge < chunk.starts.length; edge++) {
      const at = next[chunk.kinds[edge]]++;
      sorted.starts[at] = chunk.starts[edge];
      sorted.ends[at] = chunk.ends[edge];
      sorted.flags[at] = chunk.flags[edge];
    }
  }
  chunks.length = 0;
  return sorted;
}

function countKinds(nodeCount: number, chunk: EdgeChunk, offsets: Uint32Array): void {
  const { starts, ends, kinds } = chunk;
  for (let edge = 0; edge < starts.length; edge++) {
    if (starts[edge] >= nodeCount || ends[edge] >= nodeCount) {
      throw new GraphBuildError(
        `edge ${starts[edge]} -> ${ends[edge]} leaves the graph of ${nodeCount} nodes`,
      );
    }
    offsets[kinds[edge] + 1]++;
  }
}

/** @returns edges in order of (end, kind); the end of an edge follows from `offsets`. */
function sortByEnd(nodeCount: number, edges: ReturnType<typeof sortByKind>) {
  const edgeCount = edges.starts.length;
  const offsets = new Uint32Array(nodeCount + 1);
  for (let edge = 0; edge < edgeCount; edge++) offsets[edges.ends[edge] + 1]++;
  const next = startsOfRows(offsets);
  const sorted = {
    offsets,
    starts: new Uint32Array(edgeCount),
    kinds: new Uint16Array(edgeCount),
    flags: new Uint8Array(edgeCount),
  };
  for (let kind = 0; kind < KIND_COUNT; kind++) {
    const kindEnd = edges.offsets[kind + 1];
    for (let edge = edges.offsets[kind]; edge < kindEnd; edge++) {
      const at = next[edges.ends[edge]]++;
      sorted.starts[at] = edges.starts[edge];
      sorted.kinds[at] = kind;
      sorted.flags[at] = edges.flags[edge];
    }
  }
  return sorted;
}

/** @returns edges in order of (start, end, kind), repetitions side by side. */
function sortByStart(nodeCount: number, edges: ReturnType<typeof sortByEnd>): Rows {
  const edgeCount = edges.starts.length;
  const { offsets, neighbours, kinds, flags } = newRows(nodeCount, edgeCount);
  for (let edge = 0; edge < edgeCount; edge++) offsets[edges.starts[edge] + 1]++;
  const next = startsOfRows(offsets);
  for (let end = 0; end < nodeCount; end++) {
    const rowEnd = edges.offsets[end + 1];
    for (let edge = edges.offsets[end]; edge < rowEnd; edge++) {
      const at = next[edges.starts[edge]]++;
      neighbours[at] = end;
      kinds[at] = edges.kinds[edge];
      flags[at] = edges.flags[edge];
    }
  }
  return { offsets, neighbours, kinds, flags };
}

/** Closes ranks in place. */
function uniteRepetitions(rows: Rows, unanimousFlags: number): Rows {
  const { offsets, neighbours, kinds, flags } = rows;
  let used = 0;
  let at = 0;
  for (let node = 0; node + 1 < offsets.length; node++) {
    const rowStart = used;
    const rowEnd = offsets[node + 1];
    for (; at < rowEnd; at++) {
      const last = used - 1;
      if (last >= rowStart && neighbours[last] === neighbours[at] && kinds[last] === kinds[at]) {
        flags[last] = uniteFlags(flags[last], flags[at], unanimousFlags);
      } else {
        neighbours[used] = neighbours[at];
        kinds[used] = kinds[at];
        flags[used++] = flags[at];
      }
    }
    offsets[node + 1] = used;
  }
  return {
    offsets,
    neighbours: neighbours.subarray(0, used),
    kinds: kinds.subarray(0, used),
    flags: flags.subarray(0, used),
  };
}

/**
 * Turns counts, each one place to the right of its row, into offsets in place.
 * @returns the first position of each row, to be counted up while the rows fill
 */
function startsOfRows(countsToOffsets: Uint32Array): Uint32Array {
  for (let row = 1; row < countsToOffsets.length; row++) countsToOffsets[row] += countsToOffsets[row - 1];
  return countsToOffsets.slice(0, -1);
}

function newRows(nodeCount: number, edgeCount: number): Rows {
  return {
    offsets: new Uint32Array(nodeCount + 1),
    neighbours: new Uint32Array(edgeCount),
    kinds: new Uint16Array(edgeCount),
    flags: new Uint8Array(edgeCount),
  };
}

function newAdjacency(nodeCount: number, edgeCount: number): Adjacency {
  return {
    offsets: new Uint32Array(new SharedArrayBuffer((nodeCount + 1) * 4)),
    neighbours: new Uint32Array(new SharedArrayBuffer(edgeCount * 4)),
    kinds: new Uint16Array(new SharedArrayBuffer(edgeCount * 2)),
    flags: new Uint8Array(new SharedArrayBuffer(edgeCount)),
  };
}

function sealRows(rows: Rows): Adjacency {
  const sealed = newAdjacency(rows.offsets.length - 1, rows.neighbours.length);
  sealed.offsets.set(rows.offsets);
  sealed.neighbours.set(rows.neighbours);
  sealed.kinds.set(rows.kinds);
  sealed.flags.set(rows.flags);
  return sealed;
}
