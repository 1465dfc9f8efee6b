import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryGraph, buildGraph } from '../../test/arbitraryGraph.ts';
import { graphOf } from '../../test/index.ts';
import { NO_NODE } from './attackGraph.ts';
import {
  edgeKindOf,
  endOf,
  findEdge,
  findNode,
  findNodesByPrefix,
  hasKind,
  kindsOf,
  NO_EDGE,
  nameOf,
  nodesOfKind,
  objectIdOf,
  startOf,
} from './lookup.ts';
import { findEdgeByStoreIds, findNodeByStoreId } from './storeIndex.ts';

const objectIds = fc.uniqueArray(
  fc.oneof(
    fc.string({ maxLength: 3 }),
    fc.string({ unit: 'grapheme', maxLength: 2 }),
    fc.constant('S-1-5-21'),
  ),
  { maxLength: 30, size: 'max', selector: (id) => id.toWellFormed() },
);

describe('finding nodes', () => {
  it('finds each object id, and no other id', () => {
    fc.assert(
      fc.property(objectIds, fc.string({ maxLength: 3 }), (ids, other) => {
        const nodes = ids.map((id) => ({ id: id.toWellFormed() }));
        const { graph, node } = graphOf({ nodes });
        for (const { id } of nodes) {
          expect(objectIdOf(graph, findNode(graph, id))).toBe(id);
          expect(findNode(graph, id)).toBe(node(id));
        }
        if (!nodes.some(({ id }) => id === other)) expect(findNode(graph, other)).toBe(NO_NODE);
      }),
    );
  });

  it('finds all object ids with a prefix', () => {
    fc.assert(
      fc.property(objectIds, fc.string({ maxLength: 2 }), (ids, prefix) => {
        const nodes = ids.map((id) => ({ id: id.toWellFormed() }));
        const { graph } = graphOf({ nodes });
        const { first, end } = findNodesByPrefix(graph, prefix);
        const found = Array.from({ length: end - first }, (_, at) => objectIdOf(graph, first + at));
        expect(found.sort()).toEqual(
          nodes
            .map(({ id }) => id)
            .filter((id) => id.startsWith(prefix))
            .sort(),
        );
      }),
    );
  });

  it('is case-sensitive', () => {
    const { graph } = graphOf({ nodes: [{ id: 'S-1-5-21-A' }] });
    expect(findNode(graph, 's-1-5-21-a')).toBe(NO_NODE);
  });

  it('finds nodes by store id', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(0xffff_fffe), { maxLength: 50, size: 'max' }),
        fc.nat(0xffff_fffe),
        (storeIds, other) => {
          const graph = buildGraph({ nodeCount: storeIds.length, edges: [] }, storeIds);
          storeIds.forEach((storeId, node) => {
            expect(findNodeByStoreId(graph, storeId)).toBe(node);
          });
          expect(findNodeByStoreId(graph, other)).toBe(
            storeIds.includes(other) ? storeIds.indexOf(other) : NO_NODE,
          );
        },
      ),
    );
  });
});

describe('kinds of nodes', () => {
  const { graph, node, ids } = graphOf({
    nodes: [
      { id: 'C', kinds: [1, 3], name: 'C@CORP' },
      { id: 'A', kinds: [1, 2] },
      { id: 'B', kinds: [2000] },
      { id: 'D' },
    ],
  });

  it('are listed in stored order', () => {
    expect(kindsOf(graph, node('C'))).toEqual([1, 3]);
    expect(kindsOf(graph, node('D'))).toEqual([]);
    expect(nameOf(graph, node('C'))).toBe('C@CORP');
  });

  it('are tested one by one', () => {
    expect(hasKind(graph, node('A'), 2)).toBe(true);
    expect(hasKind(graph, node('A'), 3)).toBe(false);
    expect(hasKind(graph, node('D'), 1)).toBe(false);
  });

  it('select nodes', () => {
    expect(ids(nodesOfKind(graph, 1))).toEqual(['A', 'C']);
    expect(ids(nodesOfKind(graph, 2000, 3))).toEqual(['B', 'C']);
    expect(ids(nodesOfKind(graph, 77))).toEqual([]);
    expect(ids(nodesOfKind(graph))).toEqual([]);
  });
});

describe('edges', () => {
  it('are found by the store ids of their ends only', () => {
    const graph = buildGraph({ nodeCount: 3, edges: [[0, 5, 2, 0]] }, [70, 80, 90]);
    expect(findEdgeByStoreIds(graph, 70, 5, 90)).toBe(0);
    for (const [start, kind, end] of [
      [70, 5, 80],
      [70, 6, 90],
      [71, 5, 90],
      [70, 5, 91],
    ])
      expect(findEdgeByStoreIds(graph, start, kind, end)).toBe(NO_EDGE);
  });

  it('are found by start, kind and end, and return these', () => {
    fc.assert(
      fc.property(arbitraryGraph(), (plain) => {
        const graph = buildGraph(plain);
        for (const [start, kind, end] of plain.edges) {
          const edge = findEdge(graph, start, kind, end);
          expect([startOf(graph, edge), edgeKindOf(graph, edge), endOf(graph, edge)]).toEqual([
            start,
            kind,
            end,
          ]);
        }
        const found: string[] = [];
        for (let start = 0; start < plain.nodeCount; start++) {
          for (let end = 0; end < plain.nodeCount; end++) {
            for (const kind of [0, 1, 2, 1000, 65_535]) {
              if (findEdge(graph, start, kind, end) !== NO_EDGE) found.push([start, kind, end].join());
            }
          }
        }
        expect(found.sort()).toEqual([...new Set(plain.edges.map((edge) => edge.slice(0, 3).join()))].sort());
      }),
    );
  });
});
