/** Several kernels as one network with one target: kernels share labels, but not weights. */

import { NO_NODE } from '../columns/attackGraph.ts';
import { uint8s, uint32s } from '../columns/largeArrays.ts';
import { RowPlaces } from '../columns/rowPlaces.ts';
import type { Cancel } from '../search/cancel.ts';
import type { Kernel } from './contractSteps.ts';
import { LabeledSteps } from './labeledSteps.ts';
import type { LabelSet } from './labelSet.ts';

export interface CutNetwork {
  /** Node 0 is the target. */
  readonly steps: LabeledSteps;
  readonly weights: Uint32Array;
  /** Weight that reaches the targets for every choice of labels; not included in `weights`. */
  readonly alwaysExposed: number;
  /**
   * Indexed by kernel and node of the whole graph: its node in the network, 0 if it always reaches the target,
   * `NO_NODE` if it never does.
   */
  readonly placesOf: readonly Uint32Array[];
}

export const TARGETS: readonly number[] = [0];

export function joinKernels(
  kernels: readonly Kernel[],
  sets: readonly LabelSet[],
  labelCount: number,
  cancel?: Cancel,
): CutNetwork {
  let nodeCount = 1;
  const bases = kernels.map((kernel) => {
    const base = nodeCount - 1;
    nodeCount += kernel.nodeCount - 1;
    return base;
  });
  const weights = uint32s(nodeCount);
  const eachStep = (visit: (start: number, end: number, set: number) => void): void => {
    for (const [at, { rows, nodeCount: own }] of kernels.entries())
      for (let node = 1; node < own; node++)
        rows.forEach(node, (end, set) => visit(bases[at] + node, end === 0 ? 0 : bases[at] + end, set));
  };
  for (const [at, kernel] of kernels.entries())
    for (let node = 1; node < kernel.nodeCount; node++) weights[bases[at] + node] = kernel.weights[node];
  const used = uint8s(sets.length);
  const byEnd = RowPlaces.visiting(nodeCount, (count) =>
    eachStep((_, end, set) => {
      count(end);
      used[set] = 1;
    }),
  );
  const { kept, places } = usedSets(sets, used);
  const starts = uint32s(byEnd.size);
  const setOf = uint32s(byEnd.size);
  eachStep((start, end, set) => {
    const at = byEnd.take(end);
    starts[at] = start;
    setOf[at] = places[set];
  });
  return {
    steps: new LabeledSteps({
      nodeCount,
      labelCount,
      offsets: byEnd.offsets,
      starts,
      setOf,
      sets: kept,
      ...(cancel && { cancel }),
    }),
    weights,
    alwaysExposed: kernels.reduce((sum, { alwaysExposed }) => sum + alwaysExposed, 0),
    placesOf: kernels.map(({ placeOf }, at) => {
      for (let node = 0; node < placeOf.length; node++)
        if (placeOf[node] !== NO_NODE && placeOf[node] !== 0) placeOf[node] += bases[at];
      return placeOf;
    }),
  };
}

/**
 * Drops unused sets, because a kernel uses few of the sets of a whole graph. Keeps the first set, which has no
 * labels.
 */
function usedSets(sets: readonly LabelSet[], used: Uint8Array) {
  const places = uint32s(sets.length);
  const kept: LabelSet[] = [];
  for (const [set, labels] of sets.entries()) {
    if (set > 0 && used[set] === 0) continue;
    places[set] = kept.length;
    kept.push(labels);
  }
  return { kept, places };
}
