import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  arbitraryQuestion,
  buildGraph,
  filterOf,
  naiveDistances,
  usableSteps,
} from '../../test/arbitraryGraph.ts';
import { NodeSet } from '../columns/nodeSet.ts';
import { CanceledError, newCancel, requestCancel } from './cancel.ts';
import { reachableNodes } from './reachableNodes.ts';
import { breadthFirst, neighborsOf } from './traversal.ts';

describe('breadthFirst', () => {
  it('finds every node at its distance from the nearest source', () => {
    fc.assert(
      fc.property(arbitraryQuestion(), fc.nat(5), (question, maxDepth) => {
        const graph = buildGraph(question.plain);
        const { nodes, levels } = breadthFirst(graph, question.sources, {
          direction: question.direction,
          filter: filterOf(question),
          blocked: NodeSet.of(graph.nodeCount, question.blocked),
          maxDepth,
        });
        const found = [];
        for (let level = 0; level + 1 < levels.length; level++) {
          for (const node of nodes.subarray(levels[level], levels[level + 1])) found.push([node, level]);
        }
        const expected = [...naiveDistances(question)].filter(([, distance]) => distance <= maxDepth);
        expect(found.sort((a, b) => a[0] - b[0])).toEqual(expected.sort((a, b) => a[0] - b[0]));
        expect(levels.at(-1)).toBe(nodes.length);
      }),
    );
  });

  it('begins with the sources in the given order', () => {
    const graph = buildGraph({
      nodeCount: 4,
      edges: [
        [3, 1, 1, 0],
        [2, 1, 0, 0],
      ],
    });
    expect([...breadthFirst(graph, [3, 2, 3]).nodes]).toEqual([3, 2, 1, 0]);
  });

  it('keeps results of nested walks separate', () => {
    const graph = buildGraph({
      nodeCount: 3,
      edges: [
        [0, 1, 1, 0],
        [1, 1, 2, 0],
      ],
    });
    function* sources() {
      expect([...reachableNodes(graph, [1])]).toEqual([1, 2]);
      yield 0;
      expect([...reachableNodes(graph, [2])]).toEqual([2]);
    }
    expect([...breadthFirst(graph, sources()).nodes]).toEqual([0, 1, 2]);
  });

  it('rejects a source that is not in the graph', () => {
    expect(() => breadthFirst(buildGraph({ nodeCount: 2, edges: [] }), [2])).toThrow(RangeError);
  });
});

describe('reachableNodes', () => {
  it('is the set of nodes with a distance', () => {
    fc.assert(
      fc.property(arbitraryQuestion(100, 200), (question) => {
        const graph = buildGraph(question.plain);
        const reached = reachableNodes(graph, question.sources, {
          direction: question.direction,
          filter: filterOf(question),
          blocked: NodeSet.of(graph.nodeCount, question.blocked),
        });
        expect([...reached]).toEqual([...naiveDistances(question).keys()].sort((a, b) => a - b));
      }),
    );
  });

  it('stops when canceled', () => {
    const graph = buildGraph({ nodeCount: 2, edges: [[0, 1, 1, 0]] });
    const cancel = newCancel();
    expect(reachableNodes(graph, [0], { cancel }).size).toBe(2);
    requestCancel(cancel);
    expect(() => reachableNodes(graph, [0], { cancel })).toThrow(CanceledError);
  });
});

describe('neighborsOf', () => {
  it('lists each neighbor once, ascending', () => {
    fc.assert(
      fc.property(arbitraryQuestion(), ({ plain, kinds, direction }) => {
        const graph = buildGraph(plain);
        const question = { plain, kinds, direction, sources: [], targets: [], blocked: [] };
        const steps = usableSteps(question);
        for (let node = 0; node < plain.nodeCount; node++) {
          const expected = steps.filter(([from]) => from === node).map(([, to]) => to);
          expect(neighborsOf(graph, node, direction, filterOf(question))).toEqual(
            expected.sort((a, b) => a - b),
          );
        }
      }),
    );
  });
});
