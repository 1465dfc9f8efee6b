import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placesByRow, RowPlaces, sumCounts } from './rowPlaces.ts';

const ROWS = 5;
const anyRows = fc.array(fc.nat({ max: ROWS + 1 }), { maxLength: 40 });

/** Entries of each row, found by looking through all of them. */
const slowRows = (rows: readonly number[]): number[][] =>
  Array.from({ length: ROWS }, (_, row) => [...rows.keys()].filter((place) => rows[place] === row));

const rowsOf = (offsets: Uint32Array, entries: Uint32Array): number[][] =>
  Array.from({ length: ROWS }, (_, row) => [...entries.subarray(offsets[row], offsets[row + 1])]);

describe('sumCounts', () => {
  it('turns counts into offsets in place', () => {
    const counts = Uint32Array.of(0, 2, 0, 3);
    expect(sumCounts(counts)).toBe(counts);
    expect([...counts]).toEqual([0, 2, 2, 5]);
  });
});

describe('RowPlaces', () => {
  it('keeps the order of the entries of a row', () => {
    fc.assert(
      fc.property(anyRows, (given) => {
        const rows = given.filter((row) => row < ROWS);
        const places = RowPlaces.visiting(ROWS, (count) => {
          for (const row of rows) count(row);
        });
        const entries = new Uint32Array(places.size);
        for (const [entry, row] of rows.entries()) entries[places.take(row)] = entry;
        expect(places.size).toBe(rows.length);
        expect(rowsOf(places.offsets, entries)).toEqual(slowRows(rows));
      }),
    );
  });

  it('has no entries without rows', () => {
    expect(RowPlaces.visiting(0, () => {}).size).toBe(0);
  });
});

describe('placesByRow', () => {
  it('groups places by row, and skips places without a row', () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const { offsets, places } = placesByRow(Uint32Array.from(rows), ROWS);
        expect(rowsOf(offsets, places)).toEqual(slowRows(rows));
      }),
    );
  });
});
