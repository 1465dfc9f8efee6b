/**
 * Steps: the edges of a graph that a question may use, reduced to plain pairs of nodes. Algorithms that look at
 * every edge several times (components, closures, reach counts, dominators) work on steps, so direction, kinds
 * and blocked nodes are dealt with once.
 */
import { type AttackGraph, NO_NODE } from './attackGraph.ts';
import { type Cancel, throwIfCancelled } from './cancel.ts';
import { ALL_EDGES, type EdgeFilter } from './edgeFilter.ts';
import type { NodeSet } from './nodeSet.ts';
import type { Direction } from './traversal.ts';

export interface Steps {
  readonly nodeCount: number;
  /** nodeCount + 1 entries; steps of node n stand at offsets[n] .. offsets[n + 1] - 1 of `targets`. */
  readonly offsets: Uint32Array;
  /** Ascending within a row, each once. A node may step to itself. */
  readonly targets: Uint32Array;
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

/** Nodes handled between two looks at the cancel token. */
const CANCEL_INTERVAL = 1 << 14;

/**
 * Two passes over the edges, about 0.1 s at 10 M; 4 bytes a step and a node.
 * @throws CancelledError
 */
export function selectSteps(graph: AttackGraph, options: StepOptions = {}): Steps {
  const adjacency = graph[options.direction ?? 'out'];
  const { allows } = options.filter ?? ALL_EDGES;
  const blocked = options.blocked?.bitmap() ?? new Uint32Array((graph.nodeCount + 31) >>> 5);
  const { neighbours, kinds } = adjacency;
  const offsets = new Uint32Array(graph.nodeCount + 1);

  /** Passes the usable neighbours of all nodes by; fills `targets` when there is room. */
  const pass = (targets?: Uint32Array): void => {
    let used = 0;
    for (let node = 0; node < graph.nodeCount; node++) {
      if ((node & (CANCEL_INTERVAL - 1)) === 0) throwIfCancelled(options.cancel);
      const rowEnd = hasBit(blocked, node) ? 0 : adjacency.offsets[node + 1];
      let last = NO_NODE;
      for (let at = adjacency.offsets[node]; at < rowEnd; at++) {
        const next = neighbours[at];
        if (next === last || allows[kinds[at]] === 0 || hasBit(blocked, next)) continue;
        last = next;
        if (targets !== undefined) targets[used] = next;
        used++;
      }
      offsets[node + 1] = used;
    }
  };
  pass();
  const targets = new Uint32Array(offsets[graph.nodeCount]);
  pass(targets);
  return { nodeCount: graph.nodeCount, offsets, targets, blocked: options.blocked };
}

/** @returns the same steps the other way. */
export function reverseSteps(steps: Steps): Steps {
  const offsets = new Uint32Array(steps.nodeCount + 1);
  for (let at = 0; at < steps.targets.length; at++) offsets[steps.targets[at] + 1]++;
  for (let node = 0; node < steps.nodeCount; node++) offsets[node + 1] += offsets[node];
  const next = offsets.slice(0, -1);
  const targets = new Uint32Array(steps.targets.length);
  for (let node = 0; node < steps.nodeCount; node++) {
    const rowEnd = steps.offsets[node + 1];
    for (let at = steps.offsets[node]; at < rowEnd; at++) targets[next[steps.targets[at]]++] = node;
  }
  return { nodeCount: steps.nodeCount, offsets, targets, blocked: steps.blocked };
}

function hasBit(words: Uint32Array, bit: number): boolean {
  return ((words[bit >>> 5] >>> (bit & 31)) & 1) === 1;
}
