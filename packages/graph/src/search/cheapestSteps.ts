/**
 * Finds the cheapest paths from all nodes to the targets, with small integer edge costs: Dial's algorithm with one
 * bucket per cost, as circular doubly linked lists. Among equally cheap paths, the one with the fewest edges wins.
 */
import type { AttackGraph } from '../columns/attackGraph.ts';
import type { NodeSet } from '../columns/nodeSet.ts';
import { type Cancel, throwIfCanceled } from './cancel.ts';

/** Cost of a node without a path. */
export const UNREACHABLE = 0xffff_ffff;

/** Cost of an edge that no path uses. */
export const NO_STEP = 255;

export interface StepCosts {
  /** Indexed like the incoming rows; `NO_STEP` for edges that are not used. */
  readonly ofPlace: Uint8Array;
  /** Maximum cost, without `NO_STEP`. */
  readonly max: number;
}

export interface CheapestSteps {
  /** For each node, the cost of its cheapest path: 0 for the targets, `UNREACHABLE` for nodes without a path. */
  readonly costs: Uint32Array;
  /**
   * For each node, the index in the incoming rows of the first edge of that path; `UNREACHABLE` for targets, and
   * for nodes without a path.
   */
  readonly firstPlaces: Uint32Array;
}

/** Maximum number of edges that is counted when equally cheap paths are compared. */
const MAX_EDGES = 1 << 10;
const SHIFT = 10;
const NONE = 0xffff_ffff;
/** Nodes processed between two checks of the cancel token. */
const CANCEL_INTERVAL = 1 << 12;

/**
 * @param targets node numbers, repetitions allowed @param blocked nodes that no path passes through @throws
 * CanceledError
 */
export function cheapestSteps(
  { nodeCount, in: { offsets, neighbors } }: AttackGraph,
  targets: Iterable<number>,
  { ofPlace, max }: StepCosts,
  cancel?: Cancel,
  blocked?: NodeSet,
): CheapestSteps {
  const distances = new Uint32Array(nodeCount).fill(UNREACHABLE);
  const firstPlaces = new Uint32Array(nodeCount).fill(UNREACHABLE);
  const [next, previous] = [new Uint32Array(nodeCount), new Uint32Array(nodeCount)];
  const count = (max << SHIFT) + 2;
  const heads = new Uint32Array(count).fill(NONE);

  const link = (node: number, bucket: number): void => {
    const head = heads[bucket];
    next[node] = head;
    previous[node] = NONE;
    if (head !== NONE) previous[head] = node;
    heads[bucket] = node;
  };
  const unlink = (node: number, bucket: number): void => {
    const [before, after] = [previous[node], next[node]];
    if (before === NONE) heads[bucket] = after;
    else next[before] = after;
    if (after !== NONE) previous[after] = before;
  };

  // The minimum cost, so no edge improves it.
  blocked?.forEach((node) => {
    distances[node] = 0;
  });
  for (const target of targets) {
    if (!(target >= 0 && target < nodeCount))
      throw new RangeError(`node ${target} is not in the graph of ${nodeCount} nodes`);
    if (distances[target] === 0) continue;
    distances[target] = 0;
    link(target, 0);
  }
  let settled = 0;
  for (let bucket = 0, empty = 0; empty < count; ) {
    const node = heads[bucket];
    if (node === NONE) {
      bucket = bucket + 1 === count ? 0 : bucket + 1;
      empty++;
      continue;
    }
    empty = 0;
    if (settled++ % CANCEL_INTERVAL === 0) throwIfCanceled(cancel);
    unlink(node, bucket);
    const distance = distances[node];
    // Paths with more edges than are counted still have exact costs: only the tie-break is inexact.
    const step = (distance & (MAX_EDGES - 1)) === MAX_EDGES - 1 ? 0 : 1;
    const end = offsets[node + 1];
    for (let at = offsets[node]; at < end; at++) {
      const cost = ofPlace[at];
      if (cost === NO_STEP) continue;
      const start = neighbors[at];
      const found = distance + (cost << SHIFT) + step;
      const known = distances[start];
      if (found >= known) continue;
      if (known !== UNREACHABLE) unlink(start, known % count);
      distances[start] = found;
      firstPlaces[start] = at;
      link(start, found % count);
    }
  }
  blocked?.forEach((node) => {
    distances[node] = UNREACHABLE;
  });
  for (let node = 0; node < nodeCount; node++)
    if (distances[node] !== UNREACHABLE) distances[node] >>>= SHIFT;
  return { costs: distances, firstPlaces };
}

/** @returns indexes in the incoming rows, from the start on; empty for a target, `undefined` without a path */
export function cheapestWay(
  graph: AttackGraph,
  { costs, firstPlaces }: CheapestSteps,
  start: number,
): number[] | undefined {
  if (costs[start] === UNREACHABLE) return undefined;
  const places: number[] = [];
  for (let place = firstPlaces[start]; place !== UNREACHABLE; ) {
    places.push(place);
    place = firstPlaces[rowOf(graph.in.offsets, place)];
  }
  return places;
}

/** @returns the node whose row contains the index */
export function rowOf(offsets: Uint32Array, place: number): number {
  let [low, high] = [0, offsets.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (offsets[middle] <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}
