import { uint32s } from '../columns/largeArrays.ts';
import { RowPlaces } from '../columns/rowPlaces.ts';
import type { StepRows } from '../search/steps.ts';

/** @returns the same steps, grouped by end */
export function turnedRows({ offsets, targets }: StepRows): StepRows {
  const nodeCount = offsets.length - 1;
  const rows = RowPlaces.of(nodeCount, targets);
  const back = uint32s(targets.length);
  for (let node = 0; node < nodeCount; node++)
    for (let at = offsets[node]; at < offsets[node + 1]; at++) back[rows.take(targets[at])] = node;
  return { offsets: rows.offsets, targets: back };
}
