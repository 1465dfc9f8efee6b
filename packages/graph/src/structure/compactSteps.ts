/**
 * Renumbers the nodes that have steps. The cost of structures built from the result then depends only on these
 * nodes, and not on the rest of the graph (computers and containers for memberships, all objects of other
 * platforms).
 */
import { countBits, listBits, newBitmap, popCount } from '../columns/bits.ts';
import type { StepRows, Steps } from '../search/steps.ts';

export interface CompactSteps {
  readonly steps: Steps;
  /** Original nodes, indexed by their number in `steps`, ascending; absent if the numbers are unchanged. */
  readonly nodes?: Uint32Array;
  /** @returns the number in `steps`; `undefined` for a node without steps */
  readonly numberOf: (node: number) => number | undefined;
}

/** If more than this share of the nodes has steps, a copy costs more than it saves. */
const MAX_SHARE = 1 / 2;

export function compactSteps(steps: Steps): CompactSteps {
  const { nodeCount, ahead, behind } = steps;
  const words = newBitmap(nodeCount);
  for (const { offsets } of [ahead, behind]) markFilled(offsets, words);
  const count = countBits(words);
  if (count > nodeCount * MAX_SHARE) return { steps, numberOf: (node) => node };
  const nodes = listBits(words, count);
  /** Number of nodes before each word of the bitmap. */
  const before = new Uint32Array(words.length);
  for (let at = 0; at < count; at++) before[nodes[at] >>> 5]++;
  for (let at = 0, sum = 0; at < before.length; at++) {
    const here = before[at];
    before[at] = sum;
    sum += here;
  }
  const rank = (node: number): number => {
    const below = words[node >>> 5] & ((1 << (node & 31)) - 1);
    return before[node >>> 5] + popCount(below);
  };
  const rowsOf = ({ offsets, targets }: StepRows): StepRows => {
    const own = new Uint32Array(count + 1);
    for (let at = 0; at < count; at++) own[at + 1] = offsets[nodes[at] + 1];
    return { offsets: own, targets: targets.map(rank) };
  };
  return {
    steps: { nodeCount: count, ahead: rowsOf(ahead), behind: rowsOf(behind) },
    nodes,
    numberOf: (node) => (((words[node >>> 5] >>> (node & 31)) & 1) === 1 ? rank(node) : undefined),
  };
}

function markFilled(offsets: Uint32Array, words: Uint32Array): void {
  for (let node = 0, from = offsets[0]; node + 1 < offsets.length; node++) {
    const to = offsets[node + 1];
    if (to !== from) words[node >>> 5] |= 1 << (node & 31);
    from = to;
  }
}
