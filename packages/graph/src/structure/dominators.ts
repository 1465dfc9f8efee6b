/**
 * Dominators: the choke points of attack paths. A node dominates another if every walk from the roots to the other
 * passes through it. With Tier Zero as roots and reversed steps, securing a dominator cuts off everything below
 * it.
 */

import { NO_NODE } from '../columns/attackGraph.ts';
import { newBitmap } from '../columns/bits.ts';
import { uint32s } from '../columns/largeArrays.ts';
import { NodeSet } from '../columns/nodeSet.ts';
import type { Cancel } from '../search/cancel.ts';
import type { Steps } from '../search/steps.ts';
import { walkDepthFirst } from './depthFirst.ts';
import { dominatorsByPlace } from './dominatorsByPlace.ts';

export interface DominatorTree {
  readonly steps: Steps;
  /** Start nodes of walks, except blocked nodes. */
  readonly roots: NodeSet;
  /**
   * Nearest dominator of each node; `nodeCount` if only the set of all roots dominates the node, `NO_NODE` if it
   * is not reached.
   */
  readonly dominatorOf: Uint32Array;
  /** Reached nodes, each after its dominator. */
  readonly order: Uint32Array;
}

/**
 * O(steps * log(nodes)) for any graph.
 * @param roots start nodes of walks; repetitions allowed
 * @throws CanceledError
 */
export function findDominators(steps: Steps, roots: Iterable<number>, cancel?: Cancel): DominatorTree {
  let begin = roots instanceof NodeSet ? roots : NodeSet.of(steps.nodeCount, roots);
  if (steps.blocked !== undefined) begin = begin.andNot(steps.blocked);
  const walk = walkDepthFirst(steps, begin, cancel);
  const dominators = dominatorsByPlace(steps.behind, begin, walk, cancel);
  const dominatorOf = uint32s(steps.nodeCount).fill(NO_NODE);
  const order = walk.nodeAt.slice(1, walk.reached + 1);
  for (let place = 1; place <= walk.reached; place++) {
    const dominator = dominators[place];
    dominatorOf[walk.nodeAt[place]] = dominator === 0 ? steps.nodeCount : walk.nodeAt[dominator];
  }
  return { steps, roots: begin, dominatorOf, order };
}

/**
 * @param counted nodes, or the weight of each node
 * @returns for each node, how many of the counted nodes it dominates, including itself; 0 for a node that is not
 * reached
 */
export function countDominated(
  { steps, dominatorOf, order }: DominatorTree,
  counted: NodeSet | Uint32Array,
): Uint32Array {
  const counts = uint32s(steps.nodeCount + 1);
  const isCounted = counted instanceof Uint32Array ? undefined : counted.bitmap();
  const weights = counted instanceof Uint32Array ? counted : undefined;
  for (let place = order.length - 1; place >= 0; place--) {
    const node = order[place];
    counts[node] +=
      weights === undefined
        ? ((isCounted as Uint32Array)[node >>> 5] >>> (node & 31)) & 1
        : (weights[node] as number);
    counts[dominatorOf[node]] += counts[node];
  }
  return counts.subarray(0, steps.nodeCount);
}

/**
 * Finds choke points between two nodes: a node is in the result if the step from its dominator is the only path to
 * it, so removing this one relationship cuts off the node and everything that it dominates.
 * @returns nodes whose every walk ends with the step from `dominatorOf`
 */
export function findOnlyEntries(tree: DominatorTree): NodeSet {
  const { steps, roots, dominatorOf, order } = tree;
  const { offsets, targets } = steps.ahead;
  const { first, last } = numberSubtrees(tree);
  const entered = newBitmap(steps.nodeCount);
  const enteredElsewhere = newBitmap(steps.nodeCount);
  roots.addTo(enteredElsewhere);
  for (const node of order) {
    for (let at = offsets[node]; at < offsets[node + 1]; at++) {
      const next = targets[at];
      const bit = 1 << (next & 31);
      // A step from a dominated node does not count as a path to the node, because that walk has already passed the
      // node.
      if (dominatorOf[next] === node) entered[next >>> 5] |= bit;
      else if (first[node] < first[next] || first[node] > last[next]) enteredElsewhere[next >>> 5] |= bit;
    }
  }
  for (let at = 0; at < entered.length; at++) entered[at] &= ~enteredElsewhere[at];
  return NodeSet.ofBitmap(steps.nodeCount, entered);
}

/** Numbers the tree so that the nodes that a node dominates, including itself, have the numbers first .. last. */
function numberSubtrees(tree: DominatorTree) {
  const { steps, dominatorOf, order } = tree;
  const sizes = countDominated(tree, NodeSet.all(steps.nodeCount));
  const first = uint32s(steps.nodeCount + 1);
  const last = uint32s(steps.nodeCount);
  const next = uint32s(steps.nodeCount + 1);
  for (const node of order) {
    const parent = dominatorOf[node];
    first[node] = next[parent];
    last[node] = first[node] + sizes[node] - 1;
    next[parent] += sizes[node];
    next[node] = first[node] + 1;
  }
  return { first, last };
}
