/** Breadth-first walks: what can be reached from, or can reach, some nodes. */
import type { Adjacency, AttackGraph } from './attackGraph.ts';
import { newBitmap } from './bits.ts';
import { type Cancel, throwIfCancelled } from './cancel.ts';
import { ALL_EDGES, type EdgeFilter } from './edgeFilter.ts';
import { NodeSet } from './nodeSet.ts';
import { type Scratch, withScratch } from './scratch.ts';

/** `out` follows edges from start to end, `in` from end to start. */
export type Direction = 'out' | 'in';

export interface TraversalOptions {
  /** Default: `out`. */
  readonly direction?: Direction;
  /** Default: every edge. */
  readonly filter?: EdgeFilter;
  /** Nodes that are never entered; as source they reach nothing, not even themselves. */
  readonly blocked?: NodeSet;
  /** Longest walk in edges, >= 0. Default: without limit. */
  readonly maxDepth?: number;
  readonly cancel?: Cancel;
}

/** Nodes in order of discovery: by distance from the nearest source. */
export interface BreadthFirst {
  readonly nodes: Uint32Array;
  /**
   * Nodes at distance d stand at levels[d] .. levels[d + 1] - 1 of `nodes`; one entry more than the greatest
   * distance plus one. Distance 0 are the sources.
   */
  readonly levels: Uint32Array;
}

/** Nodes handled between two looks at the cancel token. */
const CANCEL_INTERVAL = 4096;

/**
 * Breadth-first walk from all sources at once. Time is proportional to the edges of the nodes reached.
 * @param sources node numbers, repetitions allowed
 * @returns the sources and all nodes reached; sources in given order, the rest in an order that depends on
 *   the graph and the order of the sources only
 * @throws CancelledError
 */
export function breadthFirst(
  graph: AttackGraph,
  sources: Iterable<number>,
  options: TraversalOptions = {},
): BreadthFirst {
  return withScratch(graph.nodeCount, (scratch) => {
    const levels = walk(graph, sources, options, scratch);
    return { nodes: scratch.queue.slice(0, levels[levels.length - 1]), levels: Uint32Array.from(levels) };
  });
}

/**
 * @param sources node numbers, repetitions allowed
 * @returns the sources and all nodes that a walk from one of them comes to
 * @throws CancelledError
 */
export function reachableNodes(
  graph: AttackGraph,
  sources: Iterable<number>,
  options: TraversalOptions = {},
): NodeSet {
  return withScratch(graph.nodeCount, (scratch) => {
    const levels = walk(graph, sources, options, scratch);
    const count = levels[levels.length - 1];
    if (count <= graph.nodeCount / 32) return NodeSet.of(graph.nodeCount, scratch.queue.subarray(0, count));
    const words = newBitmap(graph.nodeCount);
    for (let at = 0; at < count; at++) words[scratch.queue[at] >>> 5] |= 1 << (scratch.queue[at] & 31);
    return NodeSet.ofBitmap(graph.nodeCount, words);
  });
}

/** @returns neighbours of a node over edges that pass the filter, ascending, each once. */
export function neighboursOf(
  graph: AttackGraph,
  node: number,
  direction: Direction = 'out',
  filter: EdgeFilter = ALL_EDGES,
): number[] {
  const { offsets, neighbours, kinds } = graph[direction];
  const found: number[] = [];
  for (let at = offsets[node]; at < offsets[node + 1]; at++) {
    if (filter.allows[kinds[at]] === 1 && found.at(-1) !== neighbours[at]) found.push(neighbours[at]);
  }
  return found;
}

/** Fills the queue of `scratch`. @returns the boundaries of levels as in `BreadthFirst`. */
function walk(
  graph: AttackGraph,
  sources: Iterable<number>,
  options: TraversalOptions,
  scratch: Scratch,
): number[] {
  const adjacency = graph[options.direction ?? 'out'];
  const allows = (options.filter ?? ALL_EDGES).allows;
  const maxDepth = options.maxDepth ?? Number.POSITIVE_INFINITY;
  scratch.begin();
  const visited = scratch.nextStamp();
  // A blocked node counts as visited before the walk begins.
  options.blocked?.forEach((node) => {
    scratch.stamps[node] = visited;
  });
  const levels = [0];
  let used = enqueueSources(graph, sources, scratch, visited);
  while (used > levels[levels.length - 1]) {
    const from = levels[levels.length - 1];
    levels.push(used);
    if (levels.length - 2 >= maxDepth) break;
    for (let at = from; at < levels[levels.length - 1]; at += CANCEL_INTERVAL) {
      throwIfCancelled(options.cancel);
      const end = Math.min(at + CANCEL_INTERVAL, levels[levels.length - 1]);
      used = expand(adjacency, allows, scratch, visited, at, end, used);
    }
  }
  return levels;
}

function enqueueSources(
  graph: AttackGraph,
  sources: Iterable<number>,
  scratch: Scratch,
  visited: number,
): number {
  let used = 0;
  for (const node of sources) {
    if (!(node >= 0 && node < graph.nodeCount)) {
      throw new RangeError(`node ${node} is not in the graph of ${graph.nodeCount} nodes`);
    }
    if (scratch.stamps[node] === visited) continue;
    scratch.stamps[node] = visited;
    scratch.queue[used++] = node;
  }
  return used;
}

/** Appends to the queue what the nodes at `from` .. `to` - 1 reach first. @returns the new end of the queue. */
function expand(
  { offsets, neighbours, kinds }: Adjacency,
  allows: Uint8Array,
  { stamps, queue }: Scratch,
  visited: number,
  from: number,
  to: number,
  used: number,
): number {
  let end = used;
  for (let at = from; at < to; at++) {
    const node = queue[at];
    const rowEnd = offsets[node + 1];
    for (let edge = offsets[node]; edge < rowEnd; edge++) {
      const next = neighbours[edge];
      if (stamps[next] !== visited && allows[kinds[edge]] === 1) {
        stamps[next] = visited;
        queue[end++] = next;
      }
    }
  }
  return end;
}
