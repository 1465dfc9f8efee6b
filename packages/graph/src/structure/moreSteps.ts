import { uint32s } from '../columns/largeArrays.ts';
import { RowPlaces } from '../columns/rowPlaces.ts';
import type { Cancel } from '../search/cancel.ts';
import { LabeledSteps } from './labeledSteps.ts';
import type { LabelSet } from './labelSet.ts';

export interface MoreSteps {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** Label of each step; greater than the labels of existing steps. */
  readonly labels: ArrayLike<number>;
}

/**
 * @param labelCount number of labels, including those of the new steps @returns the existing steps and the new
 * ones, which have one label each
 */
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
  const eachStep = (visit: (end: number, start: number, set: number) => void): void => {
    for (let node = 0; node < nodeCount; node++)
      for (let at = steps.offsets[node]; at < steps.offsets[node + 1]; at++)
        visit(node, steps.starts[at], steps.setOf[at]);
    for (let at = 0; at < ends.length; at++)
      visit(ends[at], starts[at], setOfLabel.get(labels[at]) as number);
  };
  const byEnd = RowPlaces.visiting(nodeCount, eachStep);
  const [allStarts, setOf] = [uint32s(byEnd.size), uint32s(byEnd.size)];
  eachStep((end, start, set) => {
    const at = byEnd.take(end);
    allStarts[at] = start;
    setOf[at] = set;
  });
  return new LabeledSteps({
    nodeCount,
    labelCount,
    offsets: byEnd.offsets,
    starts: allStarts,
    setOf,
    sets,
    ...(cancel && { cancel }),
  });
}
