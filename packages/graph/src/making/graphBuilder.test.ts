import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryGraph, buildGraph, type PlainEdge, type PlainGraph } from '../../test/arbitraryGraph.ts';
import type { Adjacency, AttackGraph } from '../columns/attackGraph.ts';
import { NO_NODE } from '../columns/attackGraph.ts';
import { GraphBuildError } from '../columns/graphBuildError.ts';
import { kindsOf, nameOf, objectIdOf } from '../columns/lookup.ts';
import { EdgeList } from './edgeList.ts';
import { DERIVED_FLAG, GraphBuilder, withEdges } from './graphBuilder.ts';

/** The rule for repetitions in the plainest words: any bit of any, but the derived bit only when all have it. */
function naiveEdges(edges: readonly PlainEdge[]): PlainEdge[] {
  const united = new Map<string, PlainEdge[]>();
  for (const edge of edges) {
    const key = edge.slice(0, 3).join();
    united.set(key, [...(united.get(key) ?? []), edge]);
  }
  return [...united.values()]
    .map((same): PlainEdge => {
      const any = same.reduce((flags, edge) => flags | edge[3], 0);
      const derived = same.every((edge) => (edge[3] & DERIVED_FLAG) !== 0);
      return [same[0][0], same[0][1], same[0][2], derived ? any : any & ~DERIVED_FLAG];
    })
    .sort((a, b) => a[0] - b[0] || a[2] - b[2] || a[1] - b[1]);
}

function listRows(rows: Adjacency): PlainEdge[] {
  const edges: PlainEdge[] = [];
  for (let node = 0; node + 1 < rows.offsets.length; node++) {
    for (let at = rows.offsets[node]; at < rows.offsets[node + 1]; at++) {
      edges.push([node, rows.kinds[at], rows.neighbors[at], rows.flags[at]]);
    }
  }
  return edges;
}

function expectHolds(graph: AttackGraph, plain: PlainGraph): void {
  const expected = naiveEdges(plain.edges);
  expect(graph.edgeCount).toBe(expected.length);
  expect(listRows(graph.out)).toEqual(expected);
  const turned = expected.map(([start, kind, end, flags]): PlainEdge => [end, kind, start, flags]);
  expect(listRows(graph.in)).toEqual(turned.sort((a, b) => a[0] - b[0] || a[2] - b[2] || a[1] - b[1]));
}

describe('GraphBuilder', () => {
  it('keeps each (start, kind, end) once, rows ordered by (neighbor, kind), in both directions', () => {
    fc.assert(fc.property(arbitraryGraph(), (plain) => expectHolds(buildGraph(plain), plain)));
  });

  it('does the same for rows of hundreds of edges', () => {
    fc.assert(
      fc.property(arbitraryGraph(4, 600), (plain) => expectHolds(buildGraph(plain), plain)),
      { numRuns: 30 },
    );
  });

  it('gives the same columns for any order of edges, single or in chunks', () => {
    fc.assert(
      fc.property(arbitraryGraph(), fc.nat(40), (plain, cut) => {
        const backwards = [...plain.edges].reverse();
        const chunked = new GraphBuilder();
        for (let node = 0; node < plain.nodeCount; node++) {
          chunked.addNode({ storeId: node + 1, objectId: `N${String(node).padStart(6, '0')}`, kinds: [] });
        }
        for (const edge of backwards.slice(0, cut)) chunked.addEdge(...edge);
        const rest = backwards.slice(cut);
        chunked.addEdges({
          starts: Uint32Array.from(rest, (edge) => edge[0]),
          kinds: Uint16Array.from(rest, (edge) => edge[1]),
          ends: Uint32Array.from(rest, (edge) => edge[2]),
          flags: Uint8Array.from(rest, (edge) => edge[3]),
        });
        expect(chunked.build()).toEqual(buildGraph(plain));
      }),
    );
  });

  it('merges flags, and marks an edge as derived only if all its duplicates are', () => {
    const builder = new GraphBuilder();
    builder.addNode({ storeId: 1, objectId: 'A', kinds: [] });
    builder.addEdge(0, 7, 0, DERIVED_FLAG | 1);
    builder.addEdge(0, 7, 0, 2);
    builder.addEdge(0, 8, 0, DERIVED_FLAG | 4);
    builder.addEdge(0, 8, 0, DERIVED_FLAG | 1);
    expect([...builder.build().out.flags]).toEqual([3, DERIVED_FLAG | 5]);
  });

  it('keeps the given properties of nodes', () => {
    const builder = new GraphBuilder();
    builder.addNode({ storeId: 70, objectId: 'A', name: 'ÄRGER@CORP', kinds: [2, 1], environmentStoreId: 9 });
    builder.addNode({ storeId: 9, objectId: new TextEncoder().encode('B'), kinds: [8, 1] });
    builder.addNode({ storeId: 4, objectId: '\u{feff}C', kinds: [2, 1], environmentStoreId: 5 });
    const graph = builder.build();
    expect([0, 1, 2].map((node) => objectIdOf(graph, node))).toEqual(['A', 'B', '\u{feff}C']);
    expect([0, 1, 2].map((node) => nameOf(graph, node))).toEqual(['ÄRGER@CORP', '', '']);
    expect([0, 1, 2].map((node) => kindsOf(graph, node))).toEqual([
      [2, 1],
      [8, 1],
      [2, 1],
    ]);
    expect(graph.kindSets).toHaveLength(2);
    expect([...graph.storeIds]).toEqual([70, 9, 4]);
    expect([...graph.environmentOf]).toEqual([1, NO_NODE, NO_NODE]);
  });

  it('supports more than 65,536 combinations of kinds', () => {
    const builder = new GraphBuilder();
    for (let node = 0; node < 65_540; node++) {
      builder.addNode({ storeId: node, objectId: String(node).padStart(6, '0'), kinds: [node] });
    }
    const graph = builder.build();
    expect(kindsOf(graph, 65_539)).toEqual([65_539]);
  });

  it.each([
    ['B', 'A'],
    ['A', 'A'],
    // In ascending order by UTF-16 units, but not by bytes.
    ['\u{10000}', '\u{ffff}'],
  ])('rejects %j before %j', (first, second) => {
    const builder = new GraphBuilder();
    builder.addNode({ storeId: 1, objectId: first, kinds: [] });
    expect(() => builder.addNode({ storeId: 2, objectId: second, kinds: [] })).toThrow(GraphBuildError);
  });

  it.each([
    [0, 2],
    [2, 0],
    [NO_NODE, 0],
  ])('rejects an edge %j -> %j in a graph of two nodes', (start, end) => {
    const builder = new GraphBuilder();
    builder.addNode({ storeId: 1, objectId: 'A', kinds: [] });
    builder.addNode({ storeId: 2, objectId: 'B', kinds: [] });
    builder.addEdge(start, 1, end);
    expect(() => builder.build()).toThrow(GraphBuildError);
  });

  it('rejects two nodes with the same store id', () => {
    const builder = new GraphBuilder();
    builder.addNode({ storeId: 1, objectId: 'A', kinds: [] });
    builder.addNode({ storeId: 1, objectId: 'B', kinds: [] });
    expect(() => builder.build()).toThrow(/share the store id 1/);
  });
});

describe('withEdges', () => {
  it('equals a graph built with all edges at once, and leaves the first graph unchanged', () => {
    fc.assert(
      fc.property(arbitraryGraph(), fc.nat(40), (plain, cut) => {
        const first = buildGraph({ ...plain, edges: plain.edges.slice(0, cut) });
        const before = listRows(first.out);
        const added = new EdgeList();
        for (const edge of plain.edges.slice(cut)) added.append(...edge);
        expect(withEdges(first, added)).toEqual(buildGraph(plain));
        expect(listRows(first.out)).toEqual(before);
        expect(added.length).toBe(plain.edges.length - Math.min(cut, plain.edges.length));
      }),
    );
  });

  it('rejects an edge to a missing node', () => {
    const added = new EdgeList();
    added.append(0, 1, 5);
    expect(() => withEdges(buildGraph({ nodeCount: 2, edges: [] }), added)).toThrow(GraphBuildError);
  });
});
