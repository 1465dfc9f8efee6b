import { expect, it } from 'vitest';
import { MIN_EDGE_WIDTH, NODE_WIDTH, pathRows } from './pathRows.ts';

it.each([2, 6, 12, 20])(
  'a path of %i objects is cut into rows that fit, in order, without a gap',
  (count) => {
    for (const width of [600, 700, 795, 1120, 1900]) {
      const rows = pathRows(count, width);
      expect(rows.flatMap(([from, to]) => Array.from({ length: to - from }, (_, at) => from + at))).toEqual(
        Array.from({ length: count }, (_, at) => at),
      );
      rows.forEach(([from, to], row) => {
        const objects = to - from;
        // A later row begins with the relationship that leads into it.
        const edges = row === 0 ? objects - 1 : objects;
        expect(objects * NODE_WIDTH + edges * MIN_EDGE_WIDTH).toBeLessThanOrEqual(width);
      });
    }
  },
);

it('a short path is one row', () => {
  expect(pathRows(5, 800)).toEqual([[0, 5]]);
});
