/** Depth-first walk from several roots, for dominators: numbers nodes in the order of entering. */
import { type Cancel, throwIfCanceled } from '../search/cancel.ts';
import type { Steps } from '../search/steps.ts';

export interface DepthFirst {
  /** Number of nodes reached. */
  readonly reached: number;
  /** Node at each place 1 .. reached. Place 0 represents all roots. */
  readonly nodeAt: Uint32Array;
  /** Place of each node; 0 if it is not reached. */
  readonly placeOf: Uint32Array;
  /** Place from which each place was entered; 0 for roots. */
  readonly parentOf: Uint32Array;
}

/** Nodes entered between two checks of the cancel token. */
const CANCEL_INTERVAL = 1 << 14;

/** @param roots start nodes of the walk, in this order. @throws CanceledError */
export function walkDepthFirst(steps: Steps, roots: Iterable<number>, cancel?: Cancel): DepthFirst {
  const { nodeCount } = steps;
  const { offsets, targets } = steps.ahead;
  const nodeAt = new Uint32Array(nodeCount + 1);
  const placeOf = new Uint32Array(nodeCount);
  const parentOf = new Uint32Array(nodeCount + 1);
  const cursor = new Uint32Array(nodeCount + 1);
  let reached = 0;

  const enter = (node: number, parent: number): number => {
    if ((reached & (CANCEL_INTERVAL - 1)) === 0) throwIfCanceled(cancel);
    const place = ++reached;
    nodeAt[place] = node;
    placeOf[node] = place;
    parentOf[place] = parent;
    cursor[place] = offsets[node];
    return place;
  };

  for (const root of roots) {
    if (placeOf[root] !== 0) continue;
    for (let place = enter(root, 0); place !== 0; ) {
      const rowEnd = offsets[nodeAt[place] + 1];
      let at = cursor[place];
      while (at < rowEnd && placeOf[targets[at]] !== 0) at++;
      cursor[place] = at + 1;
      place = at < rowEnd ? enter(targets[at], place) : parentOf[place];
    }
  }
  return { reached, nodeAt, placeOf, parentOf };
}
