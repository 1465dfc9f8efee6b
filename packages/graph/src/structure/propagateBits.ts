/**
 * Propagates bits from sources along steps until nothing changes: with a queue while few nodes are pending, and in
 * sweeps over all nodes while many are. A sweep reads memory sequentially: with 1 M nodes and 10 M steps, five
 * sweeps took 0.1 s, and the queue alone 0.7 s.
 */
import { type Cancel, throwIfCanceled } from '../search/cancel.ts';
import { PREFETCH_ROWS, prefetchRows } from '../search/prefetch.ts';
import type { StepRows, Steps } from '../search/steps.ts';

export interface BitPropagation {
  /** Bits of the sources that reach each node. */
  readonly reached: Int32Array;
  /** Bits of each node that are not propagated yet. */
  readonly pending: Int32Array;
  /** Nodes with pending bits: a ring buffer with room for each node once. */
  readonly queue: Uint32Array;
}

/** Sweeps start when more than one in this many nodes is pending, and end when fewer have changed. */
const SWEEP_SHARE = 16;

export function newBitPropagation(nodeCount: number): BitPropagation {
  return {
    reached: new Int32Array(nodeCount),
    pending: new Int32Array(nodeCount),
    queue: new Uint32Array(nodeCount),
  };
}

/**
 * @param sources at most 32 nodes that are not blocked; source n has bit n
 * @returns for each node, the bits of the sources that reach it, including its own; overwritten by the next call
 * @throws CanceledError
 */
export function propagateBits(
  steps: Steps,
  propagation: BitPropagation,
  sources: readonly (number | undefined)[],
  cancel?: Cancel,
): Int32Array {
  const { reached, pending, queue } = propagation;
  reached.fill(0);
  // A canceled call may have left entries behind.
  pending.fill(0);
  let waiting = 0;
  let allBits = 0;
  for (let bit = 0; bit < sources.length; bit++) {
    const node = sources[bit];
    if (node === undefined) continue;
    if (reached[node] === 0) queue[waiting++] = node;
    reached[node] |= 1 << bit;
    pending[node] |= 1 << bit;
    allBits |= 1 << bit;
  }
  const many = Math.floor(steps.nodeCount / SWEEP_SHARE);
  while (waiting > 0) {
    waiting =
      waiting > many
        ? sweepUntilCalm(steps.behind, propagation, allBits, many, cancel)
        : drainQueue(steps, propagation, waiting, many, cancel);
  }
  return reached;
}

/**
 * Processes the queue until it is empty or too long.
 * @returns the number of pending nodes; sweeps find them by their bits
 */
function drainQueue(
  { nodeCount, ahead }: Steps,
  { reached, pending, queue }: BitPropagation,
  queued: number,
  many: number,
  cancel: Cancel | undefined,
): number {
  const { offsets, targets } = ahead;
  let waiting = queued;
  let head = 0;
  let tail = queued % nodeCount;
  while (waiting > 0 && waiting <= many) {
    throwIfCanceled(cancel);
    const blockEnd = Math.min(head + Math.min(waiting, PREFETCH_ROWS), nodeCount);
    prefetchRows(offsets, targets, undefined, queue, head, blockEnd);
    waiting -= blockEnd - head;
    for (; head < blockEnd; head++) {
      const node = queue[head];
      const bits = pending[node];
      pending[node] = 0;
      const rowEnd = offsets[node + 1];
      for (let at = offsets[node]; at < rowEnd; at++) {
        const next = targets[at];
        const fresh = bits & ~reached[next];
        if (fresh === 0) continue;
        reached[next] |= fresh;
        if (pending[next] === 0) {
          queue[tail++] = next;
          if (tail === nodeCount) tail = 0;
          waiting++;
        }
        pending[next] |= fresh;
      }
    }
    if (head === nodeCount) head = 0;
  }
  return waiting;
}

/**
 * Propagates bits to every node from its predecessors, in node order, until few nodes change. @returns the number
 * of nodes that changed in the last sweep, which are in the queue
 */
function sweepUntilCalm(
  { offsets, targets }: StepRows,
  { reached, pending, queue }: BitPropagation,
  allBits: number,
  many: number,
  cancel: Cancel | undefined,
): number {
  pending.fill(0);
  let changed: number;
  do {
    throwIfCanceled(cancel);
    changed = 0;
    for (let node = 0; node < reached.length; node++) {
      const before = reached[node];
      if (before === allBits) continue;
      let bits = before;
      const rowEnd = offsets[node + 1];
      for (let at = offsets[node]; at < rowEnd; at++) bits |= reached[targets[at]];
      if (bits === before) continue;
      reached[node] = bits;
      queue[changed++] = node;
    }
  } while (changed > many);
  for (let at = 0; at < changed; at++) pending[queue[at]] = reached[queue[at]];
  return changed;
}
