/**
 * Bidirectional breadth-first search, level by level, always on the side with fewer edges. When the sides meet,
 * every shortest path passes through one of the meeting nodes.
 *
 * Both sides share one column of marks, because the search spends most of its time reading marks. Stamps of the
 * forward side are even, those of the backward side odd; the stamp of blocked nodes is below both.
 */
import type { Adjacency, AttackGraph } from '../columns/attackGraph.ts';
import type { NodeSet } from '../columns/nodeSet.ts';
import { type Cancel, throwIfCanceled } from './cancel.ts';
import { PREFETCH_ROWS, prefetchRows } from './prefetch.ts';
import type { Scratch } from './scratch.ts';

/** Result of one side. The nodes at depth d are at levels[d] .. levels[d + 1] - 1 of the queue. */
export interface SearchSide {
  /** Edges in the direction in which this side walks. */
  readonly ahead: Adjacency;
  /** The reversed edges. */
  readonly behind: Adjacency;
  readonly queue: Uint32Array;
  readonly levels: number[];
  /** Stamp of the nodes at each depth. */
  readonly stamps: number[];
  /** Number of edges ahead of the nodes at each depth, if counted. */
  readonly degrees: number[];
}

export interface SearchLimits {
  /** Indexed by edge kind: 1 to follow edges of that kind. */
  readonly allows: Uint8Array;
  readonly blocked?: NodeSet;
  readonly maxLength: number;
  readonly cancel?: Cancel;
}

export interface Meeting {
  readonly forward: SearchSide;
  readonly backward: SearchSide;
  /** Contains the marks of both sides; callers may use further stamps. */
  readonly scratch: Scratch;
  /** Nodes in the middle of a shortest path, without repetitions, at the last depth of one side. */
  readonly nodes: readonly number[];
}

/**
 * @param scratch holds the marks and the forward queue
 * @param backwardScratch holds the backward queue
 * @returns the nodes where both sides first meet; `undefined` if there is no path within the limits
 * @throws CanceledError
 */
export function searchFromBothEnds(
  graph: AttackGraph,
  from: Iterable<number>,
  to: Iterable<number>,
  limits: SearchLimits,
  scratch: Scratch,
  backwardScratch: Scratch,
): Meeting | undefined {
  scratch.begin();
  const blockedStamp = scratch.nextStamp();
  limits.blocked?.forEach((node) => {
    scratch.stamps[node] = blockedStamp;
  });
  // A target node starts no path, because paths have at least one edge.
  const backward = newSide(graph.in, graph.out, backwardScratch.queue);
  enqueueEnds(backward, to, nextStamp(scratch, 1), scratch.stamps, blockedStamp);
  const forward = newSide(graph.out, graph.in, scratch.queue);
  enqueueEnds(forward, from, nextStamp(scratch, 0), scratch.stamps, blockedStamp);
  let length = 0;
  while (frontierSize(forward) > 0 && frontierSize(backward) > 0 && length < limits.maxLength) {
    const isForward = countDegree(forward) <= countDegree(backward);
    const side = isForward ? forward : backward;
    const stamp = nextStamp(scratch, isForward ? 0 : 1);
    const nodes = expandLevel(side, stamp, scratch.stamps, blockedStamp, limits);
    if (nodes.length > 0) return { forward, backward, scratch, nodes };
    length++;
  }
  return undefined;
}

function newSide(ahead: Adjacency, behind: Adjacency, queue: Uint32Array): SearchSide {
  return { ahead, behind, queue, levels: [0], stamps: [], degrees: [] };
}

function nextStamp(scratch: Scratch, parity: 0 | 1): number {
  const stamp = scratch.nextStamp();
  return stamp % 2 === parity ? stamp : scratch.nextStamp();
}

function enqueueEnds(
  side: SearchSide,
  ends: Iterable<number>,
  stamp: number,
  marks: Uint32Array,
  blockedStamp: number,
): void {
  const nodeCount = side.ahead.offsets.length - 1;
  let used = 0;
  for (const node of ends) {
    if (!(node >= 0 && node < nodeCount)) {
      throw new RangeError(`node ${node} is not in the graph of ${nodeCount} nodes`);
    }
    if (marks[node] >= blockedStamp) continue;
    marks[node] = stamp;
    side.queue[used++] = node;
  }
  side.stamps.push(stamp);
  side.levels.push(used);
}

function frontierSize({ levels }: SearchSide): number {
  return levels[levels.length - 1] - levels[levels.length - 2];
}

/** @returns the number of edges that the last level has ahead */
function countDegree({ levels, degrees, ahead, queue }: SearchSide): number {
  const depth = levels.length - 2;
  if (degrees.length === depth) {
    let degree = 0;
    for (let at = levels[depth]; at < levels[depth + 1]; at++) {
      degree += ahead.offsets[queue[at] + 1] - ahead.offsets[queue[at]];
    }
    degrees.push(degree);
  }
  return degrees[depth];
}

/** Finds the whole next level of `side`. @returns its nodes that the other side has reached */
function expandLevel(
  side: SearchSide,
  stamp: number,
  marks: Uint32Array,
  blockedStamp: number,
  { allows, cancel }: SearchLimits,
): number[] {
  const { levels, queue } = side;
  const { offsets, neighbors, kinds } = side.ahead;
  const met: number[] = [];
  const levelEnd = levels[levels.length - 1];
  let used = levelEnd;
  for (let at = levels[levels.length - 2]; at < levelEnd; at += PREFETCH_ROWS) {
    throwIfCanceled(cancel);
    const end = Math.min(at + PREFETCH_ROWS, levelEnd);
    prefetchRows(offsets, neighbors, kinds, queue, at, end);
    used = expandNodes(side, at, end, stamp, marks, blockedStamp, allows, used, met);
  }
  levels.push(used);
  side.stamps.push(stamp);
  return met;
}

/** Expands the nodes at `from` .. `to` - 1 of the queue. @returns the new end of the queue */
function expandNodes(
  { ahead, queue }: SearchSide,
  from: number,
  to: number,
  stamp: number,
  marks: Uint32Array,
  blockedStamp: number,
  allows: Uint8Array,
  used: number,
  met: number[],
): number {
  const { offsets, neighbors, kinds } = ahead;
  let end = used;
  for (let at = from; at < to; at++) {
    const rowEnd = offsets[queue[at] + 1];
    for (let edge = offsets[queue[at]]; edge < rowEnd; edge++) {
      const next = neighbors[edge];
      const mark = marks[next];
      if (mark < blockedStamp) {
        if (allows[kinds[edge]] === 0) continue;
        marks[next] = stamp;
        queue[end++] = next;
      } else if (((mark ^ stamp) & 1) === 1 && mark !== blockedStamp && allows[kinds[edge]] === 1) {
        // The other side marked this node; from now on it has this side's mark.
        marks[next] = stamp;
        met.push(next);
      }
    }
  }
  return end;
}
