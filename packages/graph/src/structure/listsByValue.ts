import { copyOf, uint32s } from '../columns/largeArrays.ts';

export interface ListsByValue {
  /** Places of the lists with v, ascending, are at offsets[v] .. offsets[v + 1] - 1 of `places`. */
  readonly offsets: Uint32Array;
  readonly places: Uint32Array;
}

/** @param lists of values below `valueCount`, each value once in a list */
export function listsByValue(lists: readonly (readonly number[])[], valueCount: number): ListsByValue {
  const offsets = uint32s(valueCount + 1);
  for (const values of lists) for (const value of values) offsets[value + 1]++;
  for (let value = 0; value < valueCount; value++) offsets[value + 1] += offsets[value];
  const next = copyOf(offsets, valueCount);
  const places = uint32s(offsets[valueCount]);
  for (let place = 0; place < lists.length; place++)
    for (const value of lists[place]) places[next[value]++] = place;
  return { offsets, places };
}
