import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryGraph, buildGraph, KINDS, type PlainEdge } from '../../test/arbitraryGraph.ts';
import { type AttackGraph, NO_NODE } from '../columns/attackGraph.ts';
import { objectIdOf } from '../columns/lookup.ts';
import { GraphBuilder } from './graphBuilder.ts';
import { GONE, patchEdges } from './patchEdges.ts';
import { withNodes } from './withNodes.ts';

/** Edges as the graph holds them, repetitions united. */
function edgesOf({ nodeCount, out }: AttackGraph): PlainEdge[] {
  const edges: PlainEdge[] = [];
  for (let node = 0; node < nodeCount; node++)
    for (let at = out.offsets[node]; at < out.offsets[node + 1]; at++)
      edges.push([node, out.kinds[at], out.neighbors[at], out.flags[at]]);
  return edges;
}

const keyOf = ([start, kind, end]: PlainEdge): string => `${start} ${kind} ${end}`;

describe('patchEdges', () => {
  const question = arbitraryGraph()
    .filter(({ nodeCount }) => nodeCount > 0)
    .chain((plain) => {
      const node = fc.nat(plain.nodeCount - 1);
      const flags = fc.oneof(fc.constant(GONE), fc.nat(255));
      const any = fc.tuple(node, fc.constantFrom(...KINDS), node, flags);
      // Existing edges are drawn often.
      const known = fc
        .subarray([...plain.edges])
        .chain((edges) =>
          fc.tuple(
            ...edges.map(([start, kind, end]) => flags.map((bits): PlainEdge => [start, kind, end, bits])),
          ),
        );
      return fc.record({ plain: fc.constant(plain), known, others: fc.array(any, { maxLength: 8 }) });
    });

  it('equals the graph built from the resulting edges', () => {
    fc.assert(
      fc.property(question, ({ plain, known, others }) => {
        const graph = buildGraph(plain);
        const patch = [...new Map([...known, ...others].map((edge) => [keyOf(edge), edge])).values()];
        const left = new Map(edgesOf(graph).map((edge) => [keyOf(edge), edge]));
        for (const edge of patch) {
          if (edge[3] === GONE) left.delete(keyOf(edge));
          else left.set(keyOf(edge), edge);
        }
        const expected = buildGraph({ nodeCount: plain.nodeCount, edges: [...left.values()] });
        const patched = patchEdges(graph, {
          starts: Uint32Array.from(patch, ([start]) => start),
          kinds: Uint16Array.from(patch, ([, kind]) => kind),
          ends: Uint32Array.from(patch, ([, , end]) => end),
          flags: Int16Array.from(patch, ([, , , flags]) => flags),
        });
        expect(patched).toEqual(expected);
        if (edgesOf(graph).join() === edgesOf(expected).join()) expect(patched).toBe(graph);
      }),
    );
  });
});

describe('withNodes', () => {
  it('equals the graph built from the remaining nodes and edges', () => {
    const question = arbitraryGraph().chain((plain) =>
      fc.record({
        plain: fc.constant(plain),
        // The fate of each node, and the number of new ones inserted before it.
        nodes: fc.tuple(
          ...Array.from({ length: plain.nodeCount }, () =>
            fc.record({ stays: fc.boolean(), before: fc.nat(2) }),
          ),
        ),
        after: fc.nat(2),
      }),
    );
    fc.assert(
      fc.property(question, ({ plain, nodes, after }) => {
        const graph = buildGraph(plain);
        const builder = new GraphBuilder();
        const numberOf = new Uint32Array(plain.nodeCount).fill(NO_NODE);
        const add = (): number => {
          const id = 100 + builder.nodeCount;
          return builder.addNode({ storeId: id, objectId: `N${id}`, kinds: [1] });
        };
        for (const [node, { stays, before }] of nodes.entries()) {
          for (let at = 0; at < before; at++) add();
          if (stays) numberOf[node] = add();
        }
        for (let at = 0; at < after; at++) add();
        const columns = builder.build();
        const edges = edgesOf(graph)
          .map(([start, kind, end, flags]): PlainEdge => [numberOf[start], kind, numberOf[end], flags])
          .filter(([start, , end]) => start !== NO_NODE && end !== NO_NODE);
        const renumbered = withNodes(graph, columns, numberOf);
        const expected = buildGraph({ nodeCount: columns.nodeCount, edges });
        expect([renumbered.edgeCount, renumbered.out, renumbered.in]).toEqual([
          expected.edgeCount,
          expected.out,
          expected.in,
        ]);
        expect(renumbered.nodeCount).toBe(columns.nodeCount);
        if (columns.nodeCount > 0) expect(objectIdOf(renumbered, 0)).toBe('N100');
      }),
    );
  });
});
