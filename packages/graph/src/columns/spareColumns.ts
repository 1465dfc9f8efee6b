/**
 * Memory for the columns of graphs that serve a single question. For a graph with millions of edges, getting fresh
 * memory from the system takes many times as long as copying into it, so the next graph reuses the memory of a graph
 * that no one reads any more.
 */
import type { Adjacency, AttackGraph } from './attackGraph.ts';

/** Less is not worth keeping. */
const MIN_BYTES = 64;
/** Memory has this part more than is needed: the graphs of two questions differ in a few edges. */
const RESERVE = 1 / 64;
/** Reused memory may be this many times as large as needed. */
const MAX_EXCESS = 1.25;
/**
 * Memory available for the next graph: enough for the graph that a rule reads, the one with its results, and their
 * views.
 */
const MAX_SPARE = 32;
const MAX_SPARE_BYTES = 1 << 30;

/** Oldest first. */
const spare: SharedArrayBuffer[] = [];
/** Memory in use that can be returned. */
const lent = new WeakSet<SharedArrayBuffer>();

/** @returns memory of at least so many bytes, with arbitrary content */
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
 * The caller makes sure that no one reads the graph, or another one with its columns, any more. Columns that are not from `columnMemory`
 * stay as they are.
 */
export function giveBackColumns({ out, in: back }: AttackGraph): void {
  for (const rows of [out, back])
    for (const { buffer } of columnsOf(rows))
      if (buffer instanceof SharedArrayBuffer && lent.delete(buffer)) spare.push(buffer);
  let bytes = spare.reduce((sum, { byteLength }) => sum + byteLength, 0);
  while (spare.length > MAX_SPARE || bytes > MAX_SPARE_BYTES) bytes -= spare.shift()?.byteLength ?? bytes;
}

const columnsOf = ({ offsets, neighbors, kinds, flags }: Adjacency) => [offsets, neighbors, kinds, flags];
