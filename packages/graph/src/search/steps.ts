/**
 * Steps: edges of a graph reduced to pairs of nodes, after applying direction, kinds and blocked nodes. Algorithms
 * that read every edge several times (components, closures, reach counts, dominators) work on steps.
 */
import type { Adjacency, AttackGraph } from '../columns/attackGraph.ts';
import { newBitmap } from '../columns/bits.ts';
import { placesOfKind } from '../columns/edgePlaces.ts';
import type { NodeSet } from '../columns/nodeSet.ts';
import { type Cancel, throwIfCanceled } from './cancel.ts';
import { ALL_EDGES, type EdgeFilter } from './edgeFilter.ts';
import type { Direction } from './traversal.ts';

export interface StepRows {
  /** nodeCount + 1 entries; steps of node n are at offsets[n] .. offsets[n + 1] - 1 of `targets`. */
  readonly offsets: Uint32Array;
  /** Ascending within a row, without repetitions. A node may have a step to itself. */
  readonly targets: Uint32Array;
}

export interface Steps {
  readonly nodeCount: number;
  /** Steps that lead from each node. */
  readonly ahead: StepRows;
  /** Steps that lead to each node. */
  readonly behind: StepRows;
  /** Nodes without any incoming or outgoing steps, which do not even reach themselves. */
  readonly blocked?: NodeSet;
}

export interface StepOptions {
  /** Default: `out`. */
  readonly direction?: Direction;
  /** Default: every edge. */
  readonly filter?: EdgeFilter;
  /** Nodes that are never entered or left. */
  readonly blocked?: NodeSet;
  readonly cancel?: Cancel;
}

/** Nodes processed between two checks of the cancel token. */
const CANCEL_INTERVAL = 1 << 14;

/**
 * Makes one pass over the edges in each direction. Takes 8 bytes per step and per node.
 * @throws CanceledError
 */
export function selectSteps(graph: AttackGraph, options: StepOptions = {}): Steps {
  const { allows } = options.filter ?? ALL_EDGES;
  const { blocked, cancel } = options;
  const isBlocked = blocked?.bitmap() ?? newBitmap(graph.nodeCount);
  throwIfCanceled(cancel);
  const kinds = fewKinds(allows);
  const rowsOf = (rows: Adjacency): StepRows =>
    (kinds && selectPlaces(rows, kinds, isBlocked)) ?? selectRows(rows, allows, isBlocked, cancel);
  const [out, back] = [rowsOf(graph.out), rowsOf(graph.in)];
  const steps = { nodeCount: graph.nodeCount, ahead: out, behind: back, blocked };
  return options.direction === 'in' ? reverseSteps(steps) : steps;
}

/** @returns the reversed steps, over the same memory */
export function reverseSteps(steps: Steps): Steps {
  return { ...steps, ahead: steps.behind, behind: steps.ahead };
}

/** Maximum number of kinds for a lookup by kind; for more kinds, a scan of all edges is as fast. */
const MAX_FEW_KINDS = 4;

/** @returns the kinds of a filter that allows few kinds; otherwise `undefined` */
function fewKinds(allows: Uint8Array): readonly number[] | undefined {
  const kinds: number[] = [];
  for (let kind = 0; kind < allows.length; kind++) {
    if (allows[kind] === 0) continue;
    if (kinds.length === MAX_FEW_KINDS) return undefined;
    kinds.push(kind);
  }
  return kinds;
}

/**
 * Reads only edges of the allowed kinds: the cost for memberships does not depend on the edges of other platforms.
 * @returns `undefined` if many edges have one of the kinds
 */
function selectPlaces(
  rows: Adjacency,
  kinds: readonly number[],
  isBlocked: Uint32Array,
): StepRows | undefined {
  const lists: Uint32Array[] = [];
  for (const kind of kinds) {
    const places = placesOfKind(rows, kind);
    if (places === undefined) return undefined;
    if (places.length > 0) lists.push(places);
  }
  const places = lists.length === 1 ? lists[0] : sorted(lists);
  const nodeCount = rows.offsets.length - 1;
  const offsets = new Uint32Array(nodeCount + 1);
  const targets = new Uint32Array(places.length);
  let used = 0;
  let row = 0;
  let last = -1;
  for (let index = 0; index < places.length; index++) {
    const at = places[index];
    while (rows.offsets[row + 1] <= at) {
      offsets[++row] = used;
      last = -1;
    }
    const next = rows.neighbors[at];
    if (next === last || bitAt(isBlocked, row) === 1 || bitAt(isBlocked, next) === 1) continue;
    targets[used++] = last = next;
  }
  offsets.fill(used, row + 1);
  return { offsets, targets: used < targets.length ? targets.slice(0, used) : targets };
}

function sorted(lists: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let used = 0;
  for (const list of lists) {
    all.set(list, used);
    used += list.length;
  }
  return all.sort();
}

function selectRows(
  rows: Adjacency,
  allows: Uint8Array,
  isBlocked: Uint32Array,
  cancel: Cancel | undefined,
): StepRows {
  const { neighbors, kinds } = rows;
  const nodeCount = rows.offsets.length - 1;
  const offsets = new Uint32Array(nodeCount + 1);
  const targets = new Uint32Array(neighbors.length);
  let used = 0;
  for (let node = 0; node < nodeCount; node++) {
    if (node % CANCEL_INTERVAL === 0) throwIfCanceled(cancel);
    const rowEnd = bitAt(isBlocked, node) === 1 ? 0 : rows.offsets[node + 1];
    let last = -1;
    // The loop is branch-free, because branches on unordered edges are mispredicted: a step that does not
    // count is overwritten.
    for (let at = rows.offsets[node]; at < rowEnd; at++) {
      const next = neighbors[at];
      targets[used] = next;
      const isStep = allows[kinds[at]] & ~bitAt(isBlocked, next);
      used += isStep & Number(next !== last);
      last ^= (last ^ next) & -isStep;
    }
    offsets[node + 1] = used;
  }
  // A copy is worth its time only if it frees memory.
  return { offsets, targets: used * 2 < targets.length ? targets.slice(0, used) : targets.subarray(0, used) };
}

/** @returns 1 or 0 */
function bitAt(words: Uint32Array, bit: number): number {
  return (words[bit >>> 5] >>> (bit & 31)) & 1;
}
