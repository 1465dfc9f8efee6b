/**
 * Lengauer and Tarjan, "A fast algorithm for finding dominators in a flowgraph" (1979): the simple version with
 * path compression, over places of a depth-first walk. Place 0 is a virtual root with a step to every root.
 */
import { NO_NODE } from '../columns/attackGraph.ts';
import type { NodeSet } from '../columns/nodeSet.ts';
import { type Cancel, throwIfCanceled } from '../search/cancel.ts';
import type { StepRows } from '../search/steps.ts';
import type { DepthFirst } from './depthFirst.ts';

/** Places processed between two checks of the cancel token. */
const CANCEL_INTERVAL = 1 << 14;

/**
 * @param behind predecessors of each node
 * @returns for each place 1 .. reached, the place of its nearest dominator
 */
export function dominatorsByPlace(
  behind: StepRows,
  roots: NodeSet,
  { reached, nodeAt, placeOf, parentOf }: DepthFirst,
  cancel: Cancel | undefined,
): Uint32Array {
  const dominators = new Uint32Array(reached + 1);
  /** Semidominators: the first place from which a walk leads here through later places only. */
  const semi = new Uint32Array(reached + 1);
  for (let place = 0; place <= reached; place++) semi[place] = place;
  const forest = new CompressedForest(semi);
  const waiting = new Buckets(reached + 1);
  for (let place = reached; place > 0; place--) {
    if ((place & (CANCEL_INTERVAL - 1)) === 0) throwIfCanceled(cancel);
    const node = nodeAt[place];
    const parent = parentOf[place];
    let least = roots.has(node) ? 0 : parent;
    for (let at = behind.offsets[node]; at < behind.offsets[node + 1]; at++) {
      const before = placeOf[behind.targets[at]];
      // Unreached nodes have no place.
      if (before !== 0) least = Math.min(least, semi[forest.leastAbove(before)]);
    }
    semi[place] = least;
    waiting.put(least, place);
    forest.link(place, parent);
    for (let other = waiting.take(parent); other !== 0; other = waiting.take(parent)) {
      const above = forest.leastAbove(other);
      dominators[other] = semi[above] < semi[other] ? above : parent;
    }
  }
  for (let place = 1; place <= reached; place++) {
    if (dominators[place] !== semi[place]) dominators[place] = dominators[dominators[place]];
  }
  return dominators;
}

/** The processed part of the walk's tree, with path compression. */
class CompressedForest {
  readonly #semi: Uint32Array;
  readonly #above: Uint32Array;
  /** Place with the least semidominator on the compressed part of the path. */
  readonly #best: Uint32Array;
  readonly #path: Uint32Array;

  constructor(semi: Uint32Array) {
    this.#semi = semi;
    this.#above = new Uint32Array(semi.length).fill(NO_NODE);
    this.#best = semi.slice();
    this.#path = new Uint32Array(semi.length);
  }

  link(place: number, parent: number): void {
    this.#above[place] = parent;
  }

  /** @returns the place with the least semidominator from `place` (inclusive) to the root of its tree (exclusive) */
  leastAbove(place: number): number {
    const above = this.#above;
    const best = this.#best;
    const semi = this.#semi;
    if (above[place] === NO_NODE) return place;
    let length = 0;
    for (let at = place; above[above[at]] !== NO_NODE; at = above[at]) this.#path[length++] = at;
    while (length > 0) {
      const at = this.#path[--length];
      if (semi[best[above[at]]] < semi[best[at]]) best[at] = best[above[at]];
      above[at] = above[above[at]];
    }
    return best[place];
  }
}

/** One linked list of places for each place. 0 ends a list and is never an element. */
class Buckets {
  readonly #first: Uint32Array;
  readonly #next: Uint32Array;

  constructor(count: number) {
    this.#first = new Uint32Array(count);
    this.#next = new Uint32Array(count);
  }

  put(bucket: number, place: number): void {
    this.#next[place] = this.#first[bucket];
    this.#first[bucket] = place;
  }

  /** Removes a place from the bucket. @returns the place, or 0 if the bucket is empty */
  take(bucket: number): number {
    const place = this.#first[bucket];
    if (place !== 0) this.#first[bucket] = this.#next[place];
    return place;
  }
}
