import { uint32s } from '../columns/largeArrays.ts';
import { RowPlaces } from '../columns/rowPlaces.ts';

export interface ListsByValue {
  /** Places of the lists with v, ascending, are at offsets[v] .. offsets[v + 1] - 1 of `places`. */
  readonly offsets: Uint32Array;
  readonly places: Uint32Array;
}

/** @param lists of values below `valueCount`, each value once in a list */
export function listsByValue(lists: readonly (readonly number[])[], valueCount: number): ListsByValue {
  const rows = RowPlaces.visiting(valueCount, (count) => {
    for (const values of lists) for (const value of values) count(value);
  });
  const places = uint32s(rows.size);
  for (let place = 0; place < lists.length; place++)
    for (const value of lists[place]) places[rows.take(value)] = place;
  return { offsets: rows.offsets, places };
}
