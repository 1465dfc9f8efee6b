import { expect, it } from 'vitest';
import { MAX_NODE_WIDTH, MIN_EDGE_WIDTH, NODE_WIDTH, nodeWidth, pathRows } from './pathRows.ts';

const WIDTHS = [600, 700, 795, 1120, 1900];

it.each([2, 6, 12, 20])(
  'a path of %i objects is cut into rows that fit, in order, without a gap',
  (count) => {
    for (const width of WIDTHS) {
      const rows = pathRows(count, width);
      expect(rows.flatMap(([from, to]) => Array.from({ length: to - from }, (_, at) => from + at))).toEqual(
        Array.from({ length: count }, (_, at) => at),
      );
      for (const [from, to] of rows)
        expect((to - from) * NODE_WIDTH + (to - from - 1) * MIN_EDGE_WIDTH).toBeLessThanOrEqual(width);
    }
  },
);

it('a short path is one row', () => {
  expect(pathRows(5, 800)).toEqual([[0, 5]]);
});

it.each([2, 3, 5])(
  'names in a row of %i get what they need, as far as relationships keep their room',
  (each) => {
    for (const width of WIDTHS)
      for (const needed of [40, 180, 400]) {
        const node = nodeWidth(each, width, needed);
        expect(node).toBeGreaterThanOrEqual(NODE_WIDTH);
        expect(node).toBeLessThanOrEqual(MAX_NODE_WIDTH);
        if (node > NODE_WIDTH) expect(each * node + (each - 1) * MIN_EDGE_WIDTH).toBeLessThanOrEqual(width);
        if (node < Math.min(needed, MAX_NODE_WIDTH))
          expect(each * (node + 1) + (each - 1) * MIN_EDGE_WIDTH).toBeGreaterThan(width);
      }
  },
);
