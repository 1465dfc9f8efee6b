/** Builds compressed rows by counting sort: entries of one row are adjacent, in their given order. */
import { copyOf, uint32s } from './largeArrays.ts';

/**
 * @param counts number of entries of row n, at index n + 1
 * @returns the same array as offsets: entries of row n are at offsets[n] .. offsets[n + 1] - 1
 */
export function sumCounts(counts: Uint32Array): Uint32Array {
  for (let row = 1; row < counts.length; row++) counts[row] += counts[row - 1];
  return counts;
}

/**
 * Assigns positions to entries: counts the entries of each row first, then gives each entry the next position of
 * its row.
 */
export class RowPlaces {
  /** Entries of row n are at offsets[n] .. offsets[n + 1] - 1. */
  readonly offsets: Uint32Array;
  readonly #next: Uint32Array;

  /** @param counts number of entries of row n, at index n + 1; becomes the offsets */
  constructor(counts: Uint32Array) {
    this.offsets = sumCounts(counts);
    this.#next = copyOf(this.offsets, this.offsets.length - 1);
  }

  /** @param columns the row of each entry: 0 to rowCount - 1 */
  static of(rowCount: number, ...columns: readonly Uint32Array[]): RowPlaces {
    const counts = uint32s(rowCount + 1);
    for (const rows of columns) for (let at = 0; at < rows.length; at++) counts[rows[at] + 1]++;
    return new RowPlaces(counts);
  }

  /** @param visit calls its argument with the row of each entry: 0 to rowCount - 1 */
  static visiting(rowCount: number, visit: (count: (row: number) => void) => void): RowPlaces {
    const counts = uint32s(rowCount + 1);
    visit((row) => {
      counts[row + 1]++;
    });
    return new RowPlaces(counts);
  }

  /** Number of entries. */
  get size(): number {
    return this.offsets[this.offsets.length - 1];
  }

  /** @returns the position of the next entry of a row */
  take(row: number): number {
    return this.#next[row]++;
  }
}

export interface PlacesByRow {
  readonly offsets: Uint32Array;
  /** Ascending within a row. */
  readonly places: Uint32Array;
}

/** @param rows the row of each index; indexes whose row is `rowCount` or above are skipped */
export function placesByRow(rows: Uint16Array | Uint32Array, rowCount: number): PlacesByRow {
  const counts = uint32s(rowCount + 1);
  for (let place = 0; place < rows.length; place++) if (rows[place] < rowCount) counts[rows[place] + 1]++;
  const offsets = sumCounts(counts);
  const next = copyOf(offsets, rowCount);
  const places = uint32s(offsets[rowCount]);
  for (let place = 0; place < rows.length; place++)
    if (rows[place] < rowCount) places[next[rows[place]]++] = place;
  return { offsets, places };
}
