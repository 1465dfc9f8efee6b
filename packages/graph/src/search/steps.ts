/**
 * Steps: the edges of a graph that a question may use, reduced to plain pairs of nodes. Algorithms that look at
 * every edge several times (components, closures, reach counts, dominators) work on steps, so direction, kinds
 * and blocked nodes are dealt with once.
 */
import type { Adjacency, AttackGraph } from '../columns/attackGraph.ts';
import { newBitmap } from '../columns/bits.ts';
import type { NodeSet } from '../columns/nodeSet.ts';
import { type Cancel, throwIfCanceled } from './cancel.ts';
import { ALL_EDGES, type EdgeFilter } from './edgeFilter.ts';
import type { Direction } from './traversal.ts';

export interface StepRows {
  /** nodeCount + 1 entries; steps of node n are at offsets[n] .. offsets[n + 1] - 1 of `targets`. */
  readonly offsets: Uint32Array;
  /** Ascending within a row, each once. A node may step to itself. */
  readonly targets: Uint32Array;
}

export interface Steps {
  readonly nodeCount: number;
  /** Steps that lead from each node. */
  readonly ahead: StepRows;
  /** Steps that lead to each node. */
  readonly behind: StepRows;
  /** Nodes without any steps, neither from nor to them, that do not even reach themselves. */
  readonly blocked?: NodeSet;
}

export interface StepOptions {
  /** Default: `out`. */
  readonly direction?: Direction;
  /** Default: every edge. */
  readonly filter?: EdgeFilter;
  /** Nodes that are never entered nor left. */
  readonly blocked?: NodeSet;
  readonly cancel?: Cancel;
}

/** Nodes handled between two checks of the cancel token. */
const CANCEL_INTERVAL = 1 << 14;

/**
 * One pass over the edges in each direction; 8 bytes a step and a node.
 * @throws CanceledError
 */
export function selectSteps(graph: AttackGraph, options: StepOptions = {}): Steps {
  const { allows } = options.filter ?? ALL_EDGES;
  const { blocked, cancel } = options;
  const isBlocked = blocked?.bitmap() ?? newBitmap(graph.nodeCount);
  const out = selectRows(graph.out, allows, isBlocked, cancel);
  const back = selectRows(graph.in, allows, isBlocked, cancel);
  const steps = { nodeCount: graph.nodeCount, ahead: out, behind: back, blocked };
  return options.direction === 'in' ? reverseSteps(steps) : steps;
}

/** @returns the same steps the other way, over the same memory. */
export function reverseSteps(steps: Steps): Steps {
  return { ...steps, ahead: steps.behind, behind: steps.ahead };
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
    // The loop has no branches, which the processor would predict wrongly on unordered edges: a step that does not count is overwritten.
    for (let at = rows.offsets[node]; at < rowEnd; at++) {
      const next = neighbors[at];
      targets[used] = next;
      const isStep = allows[kinds[at]] & ~bitAt(isBlocked, next);
      used += isStep & Number(next !== last);
      last ^= (last ^ next) & -isStep;
    }
    offsets[node + 1] = used;
  }
  // A copy is worth its time only where it gives memory back.
  return { offsets, targets: used * 2 < targets.length ? targets.slice(0, used) : targets.subarray(0, used) };
}

/** @returns 1 or 0 */
function bitAt(words: Uint32Array, bit: number): number {
  return (words[bit >>> 5] >>> (bit & 31)) & 1;
}
