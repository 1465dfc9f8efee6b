import fc from 'fast-check';
import { expect, it } from 'vitest';
import { arbitraryGraph, buildGraph, KINDS } from '../../test/arbitraryGraph.ts';
import { withMarkedKinds } from './markedEdges.ts';

it('gives marked edges of some kinds another kind, in both directions, and leaves all others unchanged', () => {
  const [first, second, marker] = KINDS;
  fc.assert(
    fc.property(arbitraryGraph(6, 40), (plain) => {
      const graph = buildGraph(plain);
      const view = withMarkedKinds(graph, marker, new Map([[first, 77]]));
      const isMarked = new Set(
        plain.edges.filter(([, kind]) => kind === marker).map(([start, , end]) => `${start} ${end}`),
      );
      if (isMarked.size === 0) expect(view).toBe(graph);
      for (const direction of ['out', 'in'] as const) {
        const { offsets, neighbors, kinds } = graph[direction];
        for (let row = 0; row < graph.nodeCount; row++)
          for (let at = offsets[row]; at < offsets[row + 1]; at++) {
            const pair = direction === 'out' ? `${row} ${neighbors[at]}` : `${neighbors[at]} ${row}`;
            const changes = kinds[at] === first && isMarked.has(pair);
            expect(view[direction].kinds[at]).toBe(changes ? 77 : kinds[at]);
            if (kinds[at] === second) expect(view[direction].kinds[at]).toBe(second);
          }
      }
    }),
  );
});
