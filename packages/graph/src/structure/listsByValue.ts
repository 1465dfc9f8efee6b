import { uint32s } from '../columns/largeArrays.ts';
import { RowPlaces } from '../columns/rowPlaces.ts';

export interface ListsByValue {
  /** Indexes of the lists that contain v, ascending, are at offsets[v] .. offsets[v + 1] - 1 of `places`. */
  readonly offsets: Uint32Array;
  readonly places: Uint32Array;
}

/** @param lists lists of values below `valueCount`, without repetitions */
export function listsByValue(lists: readonly (readonly number[])[], valueCount: number): ListsByValue {
  const rows = RowPlaces.visiting(valueCount, (count) => {
    for (const values of lists) for (const value of values) count(value);
  });
  const places = uint32s(rows.size);
  for (let place = 0; place < lists.length; place++)
    for (const value of lists[place]) places[rows.take(value)] = place;
  return { offsets: rows.offsets, places };
}
