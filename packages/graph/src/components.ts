/**
 * Strongly connected components: nodes that all reach one another, so whoever controls one controls them all.
 */
import { NO_NODE } from './attackGraph.ts';
import { type Cancel, throwIfCancelled } from './cancel.ts';
import type { Steps } from './steps.ts';

export interface Components {
  readonly count: number;
  /**
   * Number of each node's component, 0 .. count - 1. A step between components leads to the smaller number,
   * so ascending order comes to what is reached first.
   */
  readonly componentOf: Uint32Array;
}

/** Nodes entered between two looks at the cancel token. */
const CANCEL_INTERVAL = 1 << 14;

/**
 * Tarjan's algorithm without recursion: O(nodes + steps) time, 20 bytes a node beside the result.
 * @throws CancelledError
 */
export function findComponents(steps: Steps, cancel?: Cancel): Components {
  const { nodeCount } = steps;
  const { offsets, targets } = steps.ahead;
  const componentOf = new Uint32Array(nodeCount).fill(NO_NODE);
  /** Order of entering, from 1; 0 for nodes not yet entered. */
  const order = new Uint32Array(nodeCount);
  /** Earliest node that is known to be reached and not yet in a component. */
  const earliest = new Uint32Array(nodeCount);
  const cursor = new Uint32Array(nodeCount);
  const open = new Uint32Array(nodeCount);
  const trail = new Uint32Array(nodeCount);
  let entered = 0;
  let openCount = 0;
  let count = 0;

  const enter = (node: number): void => {
    if ((entered & (CANCEL_INTERVAL - 1)) === 0) throwIfCancelled(cancel);
    order[node] = earliest[node] = ++entered;
    cursor[node] = offsets[node];
    open[openCount++] = node;
  };
  const close = (root: number): void => {
    let node: number;
    do {
      node = open[--openCount];
      componentOf[node] = count;
    } while (node !== root);
    count++;
  };

  for (let root = 0; root < nodeCount; root++) {
    if (order[root] !== 0) continue;
    enter(root);
    trail[0] = root;
    for (let depth = 1; depth > 0; ) {
      const node = trail[depth - 1];
      const rowEnd = offsets[node + 1];
      let at = cursor[node];
      let low = earliest[node];
      // The cursor rests on a step while its target is explored, and takes over its result afterwards.
      for (; at < rowEnd; at++) {
        const next = targets[at];
        if (order[next] === 0) break;
        if (componentOf[next] === NO_NODE && earliest[next] < low) low = earliest[next];
      }
      earliest[node] = low;
      cursor[node] = at;
      if (at < rowEnd) {
        enter(targets[at]);
        trail[depth++] = targets[at];
        continue;
      }
      if (low === order[node]) close(node);
      depth--;
    }
  }
  return { count, componentOf };
}
