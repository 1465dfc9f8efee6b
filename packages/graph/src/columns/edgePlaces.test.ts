import fc from 'fast-check';
import { expect, it } from 'vitest';
import { arbitraryGraph, buildGraph, KINDS } from '../../test/arbitraryGraph.ts';
import { changeEdges } from '../making/changeEdges.ts';
import { withMarkedKinds } from '../making/markedEdges.ts';
import { placesOfKind, visitKinds, visitPlaces } from './edgePlaces.ts';

it('finds edges of rare kinds, and leaves frequent kinds to a full scan', () => {
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

it('visits the edges of several kinds once each, rare or not', () => {
  fc.assert(
    fc.property(arbitraryGraph(6, 60), fc.subarray([...KINDS, 77]), (plain, kinds) => {
      const { out } = buildGraph(plain);
      const found: [row: number, at: number][] = [];
      visitKinds(out, kinds, (row, at) => found.push([row, at]));
      const places = found.map(([, at]) => at).sort((a, b) => a - b);
      const expected = Array.from(out.kinds.keys()).filter((at) => kinds.includes(out.kinds[at]));
      expect(places).toEqual(expected);
      for (const [row, at] of found) expect(out.offsets[row] <= at && at < out.offsets[row + 1]).toBe(true);
    }),
  );
});

it('finds the same edges in a derived graph as in one without history', () => {
  const nodes = [...Array(12).keys()];
  const [many, ...few] = KINDS;
  const ofMany = nodes.flatMap((start) => nodes.map((end) => [start, many, end, 0] as const));
  const triples = fc
    .uniqueArray(fc.tuple(fc.nat(11), fc.constantFrom(...few), fc.nat(11)), {
      maxLength: 8,
      selector: String,
    })
    .map((some) => some.map(([start, kind, end]) => ({ start, kind, end })));
  fc.assert(
    fc.property(triples, fc.subarray(ofMany, { maxLength: 8 }), triples, (there, removed, added) => {
      const own = there.map(({ start, kind, end }) => [start, kind, end, 0] as const);
      const before = buildGraph({ nodeCount: nodes.length, edges: [...ofMany, ...own] });
      const gone = removed.map(([start, kind, end]) => ({ start, kind, end }));
      const changed = changeEdges(before, { removed: [...gone, ...there.slice(0, 3)], added });
      const marked = withMarkedKinds(changed, few[0], new Map([[few[1], 77]]));
      for (const rows of [changed.out, changed.in, marked.out, marked.in])
        for (const kind of [...few, 77]) {
          const places = Array.from(rows.kinds.keys()).filter((at) => rows.kinds[at] === kind);
          expect([kind, ...(placesOfKind(rows, kind) ?? [])]).toEqual([kind, ...places]);
        }
      expect(placesOfKind(changed.out, many)).toBeUndefined();
    }),
  );
});
