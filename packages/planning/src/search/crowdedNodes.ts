/**
 * Nodes that lie on the shortest paths of many principals to a zone. A repair that keeps many principals out changes one of these
 * nodes or removes its access, so packages near them yield a first plan before all packages are searched.
 *
 * Rule: `docs/plan.md#search`.
 */
import {
  type Cancel,
  float64s,
  type LabeledSteps,
  NodeSet,
  throwIfCanceled,
  uint8s,
  uint32s,
} from '@clew/graph';

const NOT_REACHED = 0xffff_ffff;

export interface CrowdedInput {
  readonly steps: LabeledSteps;
  readonly realms: readonly CrowdedRealm[];
  /** Labels of removed steps. */
  readonly taken: ReadonlySet<number>;
  /** Nodes with this number or a higher one are intermediate nodes of ways. */
  readonly nodeCount: number;
  readonly cancel?: Cancel | undefined;
}

export interface CrowdedRealm {
  readonly targets: ArrayLike<number>;
  readonly groups: readonly {
    /** Weights of its principals, indexed by node. */
    readonly weights: Uint32Array;
    /** Minimum number of its principals that makes a node crowded. A principal with several shortest paths is split evenly. */
    readonly least: number;
  }[];
}

/** @returns nodes that are crowded in at least one group @throws CanceledError */
export function crowdedNodes({ steps, realms, taken, nodeCount, cancel }: CrowdedInput): NodeSet {
  const isGone = uint8s(steps.sets.length);
  for (let set = 0; set < isGone.length; set++)
    if (steps.sets[set].some((label) => taken.has(label))) isGone[set] = 1;
  const found: NodeSet[] = [];
  for (const { targets, groups } of realms) {
    if (groups.length === 0) continue;
    throwIfCanceled(cancel);
    const ways = shortestWays(steps, isGone, targets);
    for (const { weights, least } of groups) {
      throwIfCanceled(cancel);
      const sums = principalsThrough(steps, isGone, ways, weights);
      found.push(NodeSet.of(nodeCount, placesFrom(sums, least, nodeCount)));
    }
  }
  return NodeSet.union(nodeCount, found);
}

interface ShortestWays {
  /** Number of steps to a target, indexed by node. */
  readonly levels: Uint32Array;
  /** Number of shortest-path steps out of each node. */
  readonly counts: Uint32Array;
  /** Nodes with a path, fewest steps first. */
  readonly order: Uint32Array;
}

function shortestWays(
  { offsets, starts, setOf, nodeCount }: LabeledSteps,
  isGone: Uint8Array,
  targets: ArrayLike<number>,
): ShortestWays {
  const levels = uint32s(nodeCount).fill(NOT_REACHED);
  const counts = uint32s(nodeCount);
  const queue = uint32s(nodeCount);
  let tail = 0;
  for (let at = 0; at < targets.length; at++) {
    if (levels[targets[at]] === 0) continue;
    levels[targets[at]] = 0;
    queue[tail++] = targets[at];
  }
  for (let head = 0; head < tail; head++) {
    const node = queue[head];
    for (let at = offsets[node]; at < offsets[node + 1]; at++) {
      if (isGone[setOf[at]] === 1) continue;
      const start = starts[at];
      if (levels[start] === NOT_REACHED) {
        levels[start] = levels[node] + 1;
        queue[tail++] = start;
      }
      if (levels[start] === levels[node] + 1) counts[start]++;
    }
  }
  return { levels, counts, order: queue.subarray(0, tail) };
}

/** Number of principals whose shortest paths to a target pass through each node; 0 for nodes without a path. */
function principalsThrough(
  { offsets, starts, setOf, nodeCount }: LabeledSteps,
  isGone: Uint8Array,
  { levels, counts, order }: ShortestWays,
  weights: Uint32Array,
): Float64Array {
  const sums = float64s(nodeCount);
  for (let place = order.length - 1; place >= 0; place--) {
    const node = order[place];
    let sum = weights[node];
    for (let at = offsets[node]; at < offsets[node + 1]; at++)
      if (isGone[setOf[at]] === 0 && levels[starts[at]] === levels[node] + 1)
        sum += sums[starts[at]] / counts[starts[at]];
    sums[node] = sum;
  }
  return sums;
}

function placesFrom(sums: Float64Array, least: number, end: number): number[] {
  const places: number[] = [];
  for (let node = 0; node < end; node++) if (sums[node] >= least) places.push(node);
  return places;
}
