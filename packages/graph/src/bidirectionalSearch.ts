/**
 * Breadth-first search from both ends at once, level by level, always on the side that has fewer edges to look
 * at. Once the sides meet, every shortest path is known to pass through one of the meeting nodes.
 */
import type { Adjacency, AttackGraph } from './attackGraph.ts';
import { type Cancel, throwIfCancelled } from './cancel.ts';
import type { NodeSet } from './nodeSet.ts';
import { PREFETCH_ROWS, prefetchRows } from './prefetch.ts';
import type { Scratch } from './scratch.ts';

/** What one side has found. The nodes at depth d stand at levels[d] .. levels[d + 1] - 1 of the queue. */
export interface SearchSide {
  /** Edges as this side walks them. */
  readonly ahead: Adjacency;
  /** The same edges the other way. */
  readonly behind: Adjacency;
  readonly scratch: Scratch;
  /** A node at depth d has the stamp `depthZero` + d; blocked nodes have `depthZero` - 1. */
  readonly depthZero: number;
  readonly levels: number[];
  /** Per depth, the edges that its nodes have ahead, where counted. */
  readonly degrees: number[];
}

export interface SearchLimits {
  /** Per edge kind, 1 to follow it. */
  readonly allows: Uint8Array;
  readonly blocked?: NodeSet;
  readonly maxLength: number;
  readonly cancel?: Cancel;
}

export interface Meeting {
  readonly forward: SearchSide;
  readonly backward: SearchSide;
  /** Nodes in the middle of a shortest path, at the last depth of either side. */
  readonly nodes: readonly number[];
}

/** @returns where both sides meet first; `undefined` when there is no path within the limits. */
export function searchFromBothEnds(
  graph: AttackGraph,
  from: Iterable<number>,
  to: Iterable<number>,
  limits: SearchLimits,
  forwardScratch: Scratch,
  backwardScratch: Scratch,
): Meeting | undefined {
  const backward = newSide(graph.in, graph.out, backwardScratch, limits.blocked);
  enqueueEnds(backward, to, graph.nodeCount);
  const forward = newSide(graph.out, graph.in, forwardScratch, limits.blocked);
  enqueueEnds(forward, from, graph.nodeCount, backward);
  let length = 0;
  while (frontierSize(forward) > 0 && frontierSize(backward) > 0 && length < limits.maxLength) {
    const side = countDegree(forward) <= countDegree(backward) ? forward : backward;
    const nodes = expandLevel(side, side === forward ? backward : forward, limits);
    if (nodes.length > 0) return { forward, backward, nodes };
    length++;
  }
  return undefined;
}

function newSide(ahead: Adjacency, behind: Adjacency, scratch: Scratch, blocked?: NodeSet): SearchSide {
  scratch.begin();
  const blockedStamp = scratch.nextStamp();
  blocked?.forEach((node) => {
    scratch.stamps[node] = blockedStamp;
  });
  return { ahead, behind, scratch, depthZero: scratch.nextStamp(), levels: [0], degrees: [] };
}

/** A node that is an end of the other side already begins no path: paths have at least one edge. */
function enqueueEnds(side: SearchSide, ends: Iterable<number>, nodeCount: number, other?: SearchSide): void {
  const { stamps, queue } = side.scratch;
  let used = 0;
  for (const node of ends) {
    if (!(node >= 0 && node < nodeCount)) throw new RangeError(`node ${node} is not in the graph`);
    if (stamps[node] >= side.depthZero - 1 || (other !== undefined && isVisited(other, node))) continue;
    stamps[node] = side.depthZero;
    queue[used++] = node;
  }
  side.levels.push(used);
}

function isVisited(side: SearchSide, node: number): boolean {
  return side.scratch.stamps[node] >= side.depthZero;
}

function frontierSize({ levels }: SearchSide): number {
  return levels[levels.length - 1] - levels[levels.length - 2];
}

/** @returns the edges that the last level has ahead. */
function countDegree(side: SearchSide): number {
  const { levels, degrees, scratch } = side;
  const depth = levels.length - 2;
  if (degrees.length === depth) {
    const { offsets } = side.ahead;
    let degree = 0;
    for (let at = levels[depth]; at < levels[depth + 1]; at++) {
      degree += offsets[scratch.queue[at] + 1] - offsets[scratch.queue[at]];
    }
    degrees.push(degree);
  }
  return degrees[depth];
}

/** Finds the next level of `side` whole. @returns the nodes of it that the other side has reached. */
function expandLevel(side: SearchSide, other: SearchSide, limits: SearchLimits): number[] {
  const { levels, scratch, ahead } = side;
  const stamp = scratch.nextStamp();
  const met: number[] = [];
  const levelEnd = levels[levels.length - 1];
  let used = levelEnd;
  for (let at = levels[levels.length - 2]; at < levelEnd; at += PREFETCH_ROWS) {
    throwIfCancelled(limits.cancel);
    const end = Math.min(at + PREFETCH_ROWS, levelEnd);
    prefetchRows(ahead.offsets, ahead.neighbours, ahead.kinds, scratch.queue, at, end);
    for (let place = at; place < end; place++) {
      used = expandNode(side, other, scratch.queue[place], stamp, limits.allows, used, met);
    }
  }
  levels.push(used);
  return met;
}

/** @returns the new end of the queue. */
function expandNode(
  side: SearchSide,
  other: SearchSide,
  node: number,
  stamp: number,
  allows: Uint8Array,
  used: number,
  met: number[],
): number {
  const { offsets, neighbours, kinds } = side.ahead;
  const { stamps, queue } = side.scratch;
  const otherStamps = other.scratch.stamps;
  // The blocked stamp is the lowest of this use.
  const lowest = side.depthZero - 1;
  const otherVisited = other.depthZero;
  let end = used;
  const rowEnd = offsets[node + 1];
  for (let edge = offsets[node]; edge < rowEnd; edge++) {
    const next = neighbours[edge];
    if (stamps[next] < lowest && allows[kinds[edge]] === 1) {
      stamps[next] = stamp;
      queue[end++] = next;
      if (otherStamps[next] >= otherVisited) met.push(next);
    }
  }
  return end;
}
