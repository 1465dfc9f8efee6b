import { describe, expect, it } from 'vitest';
import { graphOf } from '../test/index.ts';
import { NO_NODE } from './columns/attackGraph.ts';
import { nameOf } from './columns/lookup.ts';

describe('graphOf', () => {
  it('builds a graph of literal lists in any order', () => {
    const { graph, properties, edgeProperties, node, ids, edges } = graphOf({
      nodes: [
        { id: 'B', kinds: [2], props: { name: 'BOB', enabled: true }, environment: 'D' },
        { id: 'D', kinds: [8] },
        { id: 'A', name: 'ALICE' },
      ],
      edges: [
        ['B', 2, 'A'],
        ['A', 1, 'B', 5, { reason: 'x' }],
      ],
    });
    expect([node('A'), node('B'), node('D')]).toEqual([0, 1, 2]);
    expect([nameOf(graph, 0), nameOf(graph, 1), nameOf(graph, 2)]).toEqual(['ALICE', 'BOB', '']);
    expect([...graph.environmentOf]).toEqual([NO_NODE, 2, NO_NODE]);
    expect([...graph.storeIds]).toEqual([3, 1, 2]);
    expect(properties.flag('enabled', node('B'))).toBe(true);
    expect(edgeProperties.get(0, 1, 1)).toEqual({ reason: 'x' });
    expect(ids([2, 0])).toEqual(['D', 'A']);
    expect(edges()).toEqual([
      ['A', 1, 'B', 5],
      ['B', 2, 'A', 0],
    ]);
    expect(edges(2)).toEqual([['B', 2, 'A', 0]]);
  });

  it('rejects names that are not listed, and a node listed twice', () => {
    expect(() => graphOf({ nodes: [{ id: 'A' }], edges: [['A', 1, 'B']] })).toThrow(/no node B/);
    expect(() => graphOf({ nodes: [{ id: 'A', environment: 'D' }] })).toThrow(/no node D/);
    expect(() => graphOf({ nodes: [{ id: 'A' }, { id: 'A' }] })).toThrow(/ascending/);
  });
});
