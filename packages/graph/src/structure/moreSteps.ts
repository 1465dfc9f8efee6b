import { copyOf, uint32s } from '../columns/largeArrays.ts';
import type { Cancel } from '../search/cancel.ts';
import { LabeledSteps } from './labeledSteps.ts';
import type { LabelSet } from './labelSet.ts';

export interface MoreSteps {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** Label of each step, above those of existing steps. */
  readonly labels: ArrayLike<number>;
}

/** @param labelCount with the labels of the new steps @returns the steps, and more that carry one label each */
export function withMoreSteps(
  steps: LabeledSteps,
  { starts, ends, labels }: MoreSteps,
  labelCount: number,
  cancel?: Cancel,
): LabeledSteps {
  const sets: LabelSet[] = [...steps.sets];
  const setOfLabel = new Map<number, number>();
  for (let at = 0; at < labels.length; at++)
    if (!setOfLabel.has(labels[at])) setOfLabel.set(labels[at], sets.push([labels[at]]) - 1);
  const { nodeCount } = steps;
  const offsets = uint32s(nodeCount + 1);
  for (const end of ends) offsets[end + 1]++;
  for (let node = 0; node < nodeCount; node++)
    offsets[node + 1] += offsets[node] + steps.offsets[node + 1] - steps.offsets[node];
  const [allStarts, setOf] = [uint32s(offsets[nodeCount]), uint32s(offsets[nodeCount])];
  const next = copyOf(offsets, nodeCount);
  for (let node = 0; node < nodeCount; node++)
    for (let at = steps.offsets[node]; at < steps.offsets[node + 1]; at++) {
      allStarts[next[node]] = steps.starts[at];
      setOf[next[node]++] = steps.setOf[at];
    }
  for (let at = 0; at < ends.length; at++) {
    allStarts[next[ends[at]]] = starts[at];
    setOf[next[ends[at]]++] = setOfLabel.get(labels[at]) as number;
  }
  return new LabeledSteps({
    nodeCount,
    labelCount,
    offsets,
    starts: allStarts,
    setOf,
    sets,
    ...(cancel && { cancel }),
  });
}
