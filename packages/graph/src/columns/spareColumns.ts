/**
 * Memory pool for columns of graphs that serve a single request. For a graph with millions of edges, allocating
 * fresh memory takes many times as long as copying into it, so the next graph reuses the memory of a graph that is
 * no longer read.
 */
import type { Adjacency, AttackGraph } from './attackGraph.ts';

/** Smaller buffers are not pooled. */
const MIN_BYTES = 64;
/** Share of extra memory to allocate: graphs of two requests differ in a few edges. */
const RESERVE = 1 / 64;
/** Maximum ratio of the size of a reused buffer to the required size. */
const MAX_EXCESS = 1.25;
/**
 * Maximum number of pooled buffers: enough for the graph that a rule reads, the graph with its results, and their
 * views.
 */
const MAX_SPARE = 32;
const MAX_SPARE_BYTES = 1 << 30;

/** Oldest first. */
const spare: SharedArrayBuffer[] = [];
/** Buffers in use that can be returned to the pool. */
const lent = new WeakSet<SharedArrayBuffer>();

/** @returns memory of at least this many bytes, with arbitrary content */
export function columnMemory(bytes: number): SharedArrayBuffer {
  if (bytes < MIN_BYTES) return new SharedArrayBuffer(bytes);
  const capacity = bytes + Math.max(MIN_BYTES, Math.ceil(bytes * RESERVE));
  const place = spare.findIndex(
    ({ byteLength }) => byteLength >= bytes && byteLength <= capacity * MAX_EXCESS,
  );
  const memory =
    place < 0 ? new SharedArrayBuffer(capacity) : (spare.splice(place, 1)[0] as SharedArrayBuffer);
  lent.add(memory);
  return memory;
}

/**
 * Returns the memory of a graph to the pool. The caller guarantees that no thread reads the graph
 * or shares its columns. Columns that were not allocated by `columnMemory` are left alone.
 */
export function giveBackColumns({ out, in: back }: AttackGraph): void {
  for (const rows of [out, back])
    for (const { buffer } of columnsOf(rows))
      if (buffer instanceof SharedArrayBuffer && lent.delete(buffer)) spare.push(buffer);
  let bytes = spare.reduce((sum, { byteLength }) => sum + byteLength, 0);
  while (spare.length > MAX_SPARE || bytes > MAX_SPARE_BYTES) bytes -= spare.shift()?.byteLength ?? bytes;
}

const columnsOf = ({ offsets, neighbors, kinds, flags }: Adjacency) => [offsets, neighbors, kinds, flags];
