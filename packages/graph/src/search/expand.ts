/**
 * Expansion of breadth-first searches, over scratch memory. A reached node has the stamp `visited`, a blocked node
 * the previous stamp, and any other node a smaller one.
 */
import type { Adjacency, AttackGraph } from '../columns/attackGraph.ts';
import type { NodeSet } from '../columns/nodeSet.ts';
import { type Cancel, throwIfCanceled } from './cancel.ts';
import { PREFETCH_ROWS, prefetchRows } from './prefetch.ts';
import type { Scratch } from './scratch.ts';

/** Nodes processed between two checks of the cancel token. */
const CANCEL_INTERVAL = 64 * PREFETCH_ROWS;

/**
 * Enqueues each source that is not blocked, once.
 * @returns the stamp `visited`, and the end of the queue
 * @throws RangeError for a source that is not in the graph
 */
export function beginWalk(
  graph: AttackGraph,
  sources: Iterable<number>,
  blocked: NodeSet | undefined,
  scratch: Scratch,
): { visited: number; used: number } {
  scratch.begin();
  const blockedStamp = scratch.nextStamp();
  const visited = scratch.nextStamp();
  blocked?.forEach((node) => {
    scratch.stamps[node] = blockedStamp;
  });
  let used = 0;
  for (const node of sources) {
    if (!(node >= 0 && node < graph.nodeCount)) {
      throw new RangeError(`node ${node} is not in the graph of ${graph.nodeCount} nodes`);
    }
    if (scratch.stamps[node] >= blockedStamp) continue;
    scratch.stamps[node] = visited;
    scratch.queue[used++] = node;
  }
  return { visited, used };
}

/**
 * Enqueues new nodes reached from the nodes at `from` .. `to` - 1 of the queue.
 * @returns the new end of the queue
 * @throws CanceledError
 */
export function expandLevel(
  rows: Adjacency,
  allows: Uint8Array,
  scratch: Scratch,
  visited: number,
  from: number,
  to: number,
  cancel: Cancel | undefined,
): number {
  const { offsets, neighbors, kinds } = rows;
  let used = to;
  for (let at = from; at < to; at += PREFETCH_ROWS) {
    if ((at - from) % CANCEL_INTERVAL === 0) throwIfCanceled(cancel);
    const end = Math.min(at + PREFETCH_ROWS, to);
    prefetchRows(offsets, neighbors, kinds, scratch.queue, at, end);
    used = expand(rows, allows, scratch, visited, at, end, used);
  }
  return used;
}

function expand(
  { offsets, neighbors, kinds }: Adjacency,
  allows: Uint8Array,
  { stamps, queue }: Scratch,
  visited: number,
  from: number,
  to: number,
  used: number,
): number {
  const blockedStamp = visited - 1;
  let end = used;
  for (let at = from; at < to; at++) {
    const node = queue[at];
    const rowEnd = offsets[node + 1];
    for (let edge = offsets[node]; edge < rowEnd; edge++) {
      const next = neighbors[edge];
      if (stamps[next] < blockedStamp && allows[kinds[edge]] === 1) {
        stamps[next] = visited;
        queue[end++] = next;
      }
    }
  }
  return end;
}
