import fc from 'fast-check';
import { expect, it } from 'vitest';
import { arbitraryGraph, buildGraph, KINDS } from '../../test/arbitraryGraph.ts';
import { changeEdges } from '../making/changeEdges.ts';
import { withMarkedKinds } from '../making/markedEdges.ts';
import type { AttackGraph } from './attackGraph.ts';
import { columnMemory, giveBackColumns } from './spareColumns.ts';

const triples = fc.array(fc.record({ start: fc.nat(11), kind: fc.constantFrom(...KINDS), end: fc.nat(11) }), {
  maxLength: 6,
});
/** Copies. */
const columnsOf = ({ out, in: back }: AttackGraph) =>
  [out, back].map(({ offsets, neighbors, kinds, flags }) =>
    [offsets, neighbors, kinds, flags].map((column) => [...column]),
  );

it('builds the same graphs in reused memory', () => {
  let reused = 0;
  const memories = new Set<unknown>();
  fc.assert(
    fc.property(
      arbitraryGraph(12, 80).filter(({ nodeCount }) => nodeCount === 12),
      fc.array(fc.tuple(triples, triples), { minLength: 2, maxLength: 4 }),
      (plain, changes) => {
        const graph = buildGraph(plain);
        const before = columnsOf(graph);
        for (const [removed, added] of changes) {
          const other = changeEdges(buildGraph(plain), { removed, added });
          const expected = columnsOf(other);
          const changed = changeEdges(graph, { removed, added });
          const view = withMarkedKinds(changed, KINDS[0], new Map([[KINDS[1], KINDS[2]]]));
          expect(columnsOf(changed)).toEqual(expected);
          if (memories.has(changed.out.neighbors.buffer)) reused++;
          memories.add(changed.out.neighbors.buffer);
          if (changed === graph) continue;
          giveBackColumns(view);
          // Twice is once.
          giveBackColumns(changed);
          giveBackColumns(other);
        }
        // A graph of other memory is not touched.
        giveBackColumns(graph);
        expect(columnsOf(graph)).toEqual(before);
      },
    ),
  );
  expect(reused).toBeGreaterThan(50);
});

it('never lends memory twice', () => {
  const graph = changeEdges(
    buildGraph({
      nodeCount: 20,
      edges: Array.from({ length: 60 }, (_, at) => [at % 20, at, (at * 7) % 20, 0]),
    }),
    { added: [{ start: 0, kind: 999, end: 1 }] },
  );
  giveBackColumns(graph);
  giveBackColumns(graph);
  const sizes = [graph.out, graph.in].flatMap(({ neighbors }) => [
    neighbors.byteLength,
    neighbors.byteLength,
  ]);
  const memories = sizes.map(columnMemory);
  expect(new Set(memories).size).toBe(memories.length);
});
