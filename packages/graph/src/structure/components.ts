/** Strongly connected components: sets of nodes that all reach each other, so control of one is control of all. */
import { NO_NODE } from '../columns/attackGraph.ts';
import { type Cancel, throwIfCanceled } from '../search/cancel.ts';
import { reverseSteps, type Steps } from '../search/steps.ts';
import { newBitPropagation, propagateBits } from './propagateBits.ts';

export interface Components {
  readonly count: number;
  /**
   * Component of each node, 0 .. count - 1. Steps between components lead to smaller numbers, so in ascending
   * order each component is visited after all components that it reaches.
   */
  readonly componentOf: Uint32Array;
}

/** Nodes entered between two checks of the cancel token. */
const CANCEL_INTERVAL = 1 << 14;

/**
 * Tarjan's algorithm for all nodes except the core. The core is the component of the node with the most steps,
 * found by two breadth-first walks. If it contains most nodes, as in a directory whose administrators control
 * everything, this takes a fraction of the time, because a depth-first search causes a cache miss at every node.
 * @throws CanceledError
 */
export function findComponents(steps: Steps, cancel?: Cancel): Components {
  const search = new ComponentSearch(steps, cancel);
  const pivot = busiestNode(steps);
  if (pivot !== undefined) {
    const after = propagateBits(steps, newBitPropagation(steps.nodeCount), [pivot], cancel);
    const before = propagateBits(reverseSteps(steps), newBitPropagation(steps.nodeCount), [pivot], cancel);
    // Nodes that the core reaches have smaller numbers, and no path back into it.
    for (let node = 0; node < steps.nodeCount; node++) {
      if (after[node] === 1 && before[node] === 0) search.enterFrom(node);
    }
    search.closeCore(after, before);
  }
  for (let node = 0; node < steps.nodeCount; node++) search.enterFrom(node);
  return { count: search.count, componentOf: search.componentOf };
}

/** @returns the node with the most paths of two steps through it; `undefined` if there is no such path */
function busiestNode({ nodeCount, ahead, behind }: Steps): number | undefined {
  let busiest: number | undefined;
  let most = 0;
  for (let node = 0; node < nodeCount; node++) {
    const ways =
      (ahead.offsets[node + 1] - ahead.offsets[node]) * (behind.offsets[node + 1] - behind.offsets[node]);
    if (ways > most) {
      most = ways;
      busiest = node;
    }
  }
  return busiest;
}

/** Runs Tarjan's algorithm without recursion, from each node in turn. */
class ComponentSearch {
  readonly componentOf: Uint32Array;
  count = 0;
  readonly #steps: Steps;
  readonly #cancel: Cancel | undefined;
  /** Order of entering, from 1; 0 for nodes not yet entered. */
  readonly #order: Uint32Array;
  /** Order number of the earliest node that is known to be reached and not yet in a component. */
  readonly #earliest: Uint32Array;
  /** Next step to follow, for each node. */
  readonly #cursor: Uint32Array;
  /** Nodes entered and not yet in a component, in order of entering. */
  readonly #open: Uint32Array;
  /** Path from the root to the current node. */
  readonly #trail: Uint32Array;
  #entered = 0;
  #openCount = 0;

  constructor(steps: Steps, cancel: Cancel | undefined) {
    this.componentOf = new Uint32Array(steps.nodeCount).fill(NO_NODE);
    this.#steps = steps;
    this.#cancel = cancel;
    this.#order = new Uint32Array(steps.nodeCount);
    this.#earliest = new Uint32Array(steps.nodeCount);
    this.#cursor = new Uint32Array(steps.nodeCount);
    this.#open = new Uint32Array(steps.nodeCount);
    this.#trail = new Uint32Array(steps.nodeCount);
  }

  /** Assigns the nodes that both walks reached to one component. */
  closeCore(after: Int32Array, before: Int32Array): void {
    for (let node = 0; node < after.length; node++) {
      if ((after[node] & before[node]) === 0) continue;
      this.#order[node] = ++this.#entered;
      this.componentOf[node] = this.count;
    }
    this.count++;
  }

  /** Finds the components of all nodes that `root` reaches, unless they are known. */
  enterFrom(root: number): void {
    if (this.#order[root] !== 0) return;
    const { offsets, targets } = this.#steps.ahead;
    // The common case if there are few kinds of steps.
    if (offsets[root] === offsets[root + 1]) {
      if (this.#entered % CANCEL_INTERVAL === 0) throwIfCanceled(this.#cancel);
      this.#order[root] = ++this.#entered;
      this.componentOf[root] = this.count++;
      return;
    }
    const order = this.#order;
    const earliest = this.#earliest;
    const cursor = this.#cursor;
    const trail = this.#trail;
    const { componentOf } = this;
    this.#enter(root);
    trail[0] = root;
    for (let depth = 1; depth > 0; ) {
      const node = trail[depth - 1];
      const rowEnd = offsets[node + 1];
      let at = cursor[node];
      let low = earliest[node];
      // The cursor stays on a step while its target is explored, and then reads its result.
      for (; at < rowEnd; at++) {
        const next = targets[at];
        if (order[next] === 0) break;
        if (componentOf[next] === NO_NODE && earliest[next] < low) low = earliest[next];
      }
      earliest[node] = low;
      cursor[node] = at;
      if (at < rowEnd) {
        this.#enter(targets[at]);
        trail[depth++] = targets[at];
        continue;
      }
      if (low === order[node]) this.#close(node);
      depth--;
    }
  }

  #enter(node: number): void {
    if (this.#entered % CANCEL_INTERVAL === 0) throwIfCanceled(this.#cancel);
    this.#order[node] = this.#earliest[node] = ++this.#entered;
    this.#cursor[node] = this.#steps.ahead.offsets[node];
    this.#open[this.#openCount++] = node;
  }

  #close(root: number): void {
    let node: number;
    do {
      node = this.#open[--this.#openCount];
      this.componentOf[node] = this.count;
    } while (node !== root);
    this.count++;
  }
}
