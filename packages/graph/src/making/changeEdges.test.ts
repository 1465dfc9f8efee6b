import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryGraph, buildGraph, KINDS, type PlainEdge } from '../../test/arbitraryGraph.ts';
import { changeEdges } from './changeEdges.ts';
import { withoutKinds } from './withoutKinds.ts';

const triple = (nodes: number) =>
  fc.record({
    start: fc.nat(Math.max(nodes - 1, 0)),
    kind: fc.constantFrom(...KINDS),
    end: fc.nat(Math.max(nodes - 1, 0)),
  });

const question = arbitraryGraph()
  .filter(({ nodeCount }) => nodeCount > 0)
  .chain((plain) =>
    fc.record({
      plain: fc.constant(plain),
      removed: fc.array(triple(plain.nodeCount), { maxLength: 8 }),
      // Existing edges are drawn often.
      known: fc.subarray(plain.edges.map(([start, kind, end]) => ({ start, kind, end }))),
      added: fc.array(triple(plain.nodeCount), { maxLength: 8 }),
    }),
  );

describe('changeEdges', () => {
  it('equals the graph built from the remaining and added edges', () => {
    fc.assert(
      fc.property(question, ({ plain, removed, known, added }) => {
        const graph = buildGraph(plain);
        const out = [...removed, ...known];
        const isIn = (list: readonly object[], [start, kind, end]: PlainEdge) =>
          list.some((edge) => JSON.stringify(edge) === JSON.stringify({ start, kind, end }));
        const kept = plain.edges.filter((edge) => !isIn(out, edge) || isIn(added, edge));
        const missing = added.filter(
          ({ start, kind, end }) =>
            !plain.edges.some((edge) => edge[0] === start && edge[1] === kind && edge[2] === end),
        );
        const expected = buildGraph({
          nodeCount: plain.nodeCount,
          edges: [...kept, ...missing.map(({ start, kind, end }): PlainEdge => [start, kind, end, 0])],
        });
        const changed = changeEdges(graph, { removed: out, added });
        expect(changed.edgeCount).toBe(expected.edgeCount);
        expect(changed.out).toEqual(expected.out);
        expect(changed.in).toEqual(expected.in);
      }),
    );
  });
});

describe('withoutKinds', () => {
  it('equals the graph built from the remaining edges', () => {
    const questions = fc.record({
      plain: arbitraryGraph(),
      kinds: fc.subarray<number>([...KINDS]),
      flags: fc.constantFrom(0, 1, 4, 5),
    });
    fc.assert(
      fc.property(questions, ({ plain, kinds, flags }) => {
        const graph = buildGraph(plain);
        const drops = new Uint8Array(0x1_0000);
        for (const kind of kinds) drops[kind] = 1;
        // Repetitions keep the bits that all of them have.
        const united = Array.from(graph.out.neighbors, (end, at): PlainEdge => {
          const start = graph.out.offsets.findLastIndex((offset) => offset <= at);
          return [start, graph.out.kinds[at], end, graph.out.flags[at]];
        });
        const left = united.filter(([, kind, , bits]) => drops[kind] === 0 || (bits & flags) !== flags);
        const expected = buildGraph({ nodeCount: plain.nodeCount, edges: left });
        const changed = withoutKinds(graph, drops, flags);
        expect([changed.edgeCount, changed.out, changed.in]).toEqual([
          expected.edgeCount,
          expected.out,
          expected.in,
        ]);
      }),
    );
  });
});
