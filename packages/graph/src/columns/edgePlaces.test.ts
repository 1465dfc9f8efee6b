import fc from 'fast-check';
import { expect, it } from 'vitest';
import { arbitraryGraph, buildGraph, KINDS } from '../testing/arbitraryGraph.ts';
import { placesOfKind, visitPlaces } from './edgePlaces.ts';

it('finds the edges of a kind that few edges have, and leaves the others to a pass over all', () => {
  fc.assert(
    fc.property(arbitraryGraph(6, 60), (plain) => {
      const { out, nodeCount } = buildGraph(plain);
      for (const kind of [...KINDS, 77]) {
        const expected: [number, number][] = [];
        for (let node = 0; node < nodeCount; node++)
          for (let at = out.offsets[node]; at < out.offsets[node + 1]; at++)
            if (out.kinds[at] === kind) expected.push([node, at]);
        const places = placesOfKind(out, kind);
        expect(places === undefined).toBe(expected.length > out.kinds.length / 16);
        if (places === undefined) continue;
        const found: [number, number][] = [];
        visitPlaces(out, places, (row, at) => found.push([row, at]));
        expect(found).toEqual(expected);
      }
    }),
  );
});
