import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AttackGraph, NO_NODE } from '../columns/attackGraph.ts';
import { kindsOf, nameOf, objectIdOf } from '../columns/lookup.ts';
import { GraphBuilder } from './graphBuilder.ts';
import { type GraphDifference, graphDifference, isChangedNode, joinDifferences } from './graphDifference.ts';

interface Plain {
  readonly nodes: readonly {
    readonly id: number;
    readonly name: string;
    readonly kind: number;
    readonly environment: number;
  }[];
  readonly edges: readonly (readonly [start: number, kind: number, end: number, flags: number])[];
}

const IDS = 7;
const plain: fc.Arbitrary<Plain> = fc.record({
  nodes: fc.uniqueArray(
    fc.record({
      id: fc.nat(IDS),
      name: fc.constantFrom('', 'A', 'B'),
      kind: fc.constantFrom(1, 2),
      environment: fc.nat(1),
    }),
    { selector: ({ id }) => id, maxLength: IDS + 1 },
  ),
  edges: fc.array(fc.tuple(fc.nat(IDS), fc.constantFrom(3, 4, 1000), fc.nat(IDS), fc.nat(3)), {
    maxLength: 30,
    size: 'max',
  }),
});

function built({ nodes, edges }: Plain): AttackGraph {
  const builder = new GraphBuilder();
  const numbers = new Map(
    nodes
      .toSorted((a, b) => a.id - b.id)
      .map(({ id, name, kind, environment }) => [
        id,
        builder.addNode({
          ...{ storeId: id + 1, objectId: `N${id}`, name, kinds: [kind] },
          environmentStoreId: environment + 1,
        }),
      ]),
  );
  const seen = new Set<string>();
  for (const [start, kind, end, flags] of edges) {
    const [from, to] = [numbers.get(start), numbers.get(end)];
    if (from === undefined || to === undefined || seen.has(`${start} ${kind} ${end}`)) continue;
    seen.add(`${start} ${kind} ${end}`);
    builder.addEdge(from, kind, to, flags);
  }
  return builder.build();
}

/** All that a graph says, as texts. */
function contentOf(graph: AttackGraph): Map<string, string> {
  const content = new Map<string, string>();
  for (let node = 0; node < graph.nodeCount; node++) {
    const environment = graph.environmentOf[node];
    const state = {
      name: nameOf(graph, node),
      kinds: [...kindsOf(graph, node)],
      environment: environment === NO_NODE ? '' : objectIdOf(graph, environment),
    };
    content.set(objectIdOf(graph, node), JSON.stringify(state));
    for (let at = graph.out.offsets[node]; at < graph.out.offsets[node + 1]; at++) {
      const end = objectIdOf(graph, graph.out.neighbors[at]);
      content.set(`${objectIdOf(graph, node)} ${graph.out.kinds[at]} ${end}`, String(graph.out.flags[at]));
    }
  }
  return content;
}

/** The naive twin: changes of single texts. */
function applied(content: ReadonlyMap<string, string>, { nodes, edges }: GraphDifference) {
  const result = new Map(content);
  const put = (key: string, before: string | undefined, after: string | undefined): void => {
    expect(result.get(key)).toBe(before);
    if (after === undefined) result.delete(key);
    else result.set(key, after);
  };
  const text = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value));
  for (const { objectId, before, after } of nodes) put(objectId, text(before), text(after));
  for (const { start, kind, end, before, after } of edges)
    put(`${nodes[start].objectId} ${kind} ${nodes[end].objectId}`, text(before), text(after));
  return result;
}

const between = (a: AttackGraph, b: AttackGraph) => graphDifference(a, b) as GraphDifference;

describe('the difference of two graphs', () => {
  it('applied to the older graph gives the newer one, and contains nothing else', () => {
    fc.assert(
      fc.property(plain, plain, (a, b) => {
        const [older, newer] = [built(a), built(b)];
        const difference = between(older, newer);
        expect(applied(contentOf(older), difference)).toEqual(contentOf(newer));
        for (const { before, after } of difference.edges) expect(before).not.toBe(after);
        const ends = new Set(difference.edges.flatMap(({ start, end }) => [start, end]));
        for (const [place, node] of difference.nodes.entries())
          expect(ends.has(place) || isChangedNode(node)).toBe(true);
        expect(between(older, older)).toEqual({ nodes: [], edges: [] });
      }),
    );
  });

  it('joined with the next one equals the difference over both', () => {
    fc.assert(
      fc.property(plain, plain, plain, (a, b, c) => {
        const [first, second, third] = [built(a), built(b), built(c)];
        const joined = joinDifferences([between(first, second), between(second, third)]);
        expect(joined).toEqual(between(first, third));
      }),
    );
  });

  it('is undefined if it is larger than the limit', () => {
    const [older, newer] = [
      built({ nodes: [], edges: [] }),
      built({ nodes: [{ id: 1, name: 'A', kind: 1, environment: 1 }], edges: [[1, 3, 1, 0]] }),
    ];
    expect(graphDifference(older, newer, 1)).toBeUndefined();
    expect(graphDifference(older, newer, 2)).toEqual(between(older, newer));
  });
});
