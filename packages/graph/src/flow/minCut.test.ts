import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AttackGraph } from '../columns/attackGraph.ts';
import { edgeKindOf, endOf, startOf } from '../columns/lookup.ts';
import { NodeSet } from '../columns/nodeSet.ts';
import { CanceledError, newCancel, requestCancel } from '../search/cancel.ts';
import {
  arbitraryQuestion,
  buildGraph,
  filterOf,
  naiveDistances,
  type Question,
} from '../testing/arbitraryGraph.ts';
import { findMinCut } from './minCut.ts';

/** Cost by kind: one kind cannot be removed. */
const COSTS = new Map([
  [1, 1],
  [2, 3],
  [1000, 2],
  [65_535, Number.POSITIVE_INFINITY],
]);

function isSeparated(question: Question): boolean {
  const reached = naiveDistances(question);
  return !question.targets.some((target) => reached.has(target));
}

/** Tries every division of the nodes into two sides. @returns the least cost of the edges that cross. */
function naiveCutCost(question: Question, graph: AttackGraph): number {
  let least = Number.POSITIVE_INFINITY;
  for (let side = 0; side < 2 ** question.plain.nodeCount; side++) {
    const isInside = (node: number) => ((side >>> node) & 1) === 1;
    if (question.sources.some((node) => !question.blocked.includes(node) && !isInside(node))) continue;
    if (question.targets.some((node) => !question.blocked.includes(node) && isInside(node))) continue;
    let cost = 0;
    for (let edge = 0; edge < graph.edgeCount; edge++) {
      const [start, end] = [startOf(graph, edge), endOf(graph, edge)];
      if (question.blocked.includes(start) || question.blocked.includes(end)) continue;
      if (!question.kinds.includes(edgeKindOf(graph, edge))) continue;
      if (isInside(start) && !isInside(end)) cost += COSTS.get(edgeKindOf(graph, edge))!;
    }
    least = Math.min(least, cost);
  }
  return least;
}

describe('findMinCut', () => {
  it('finds a cheapest set of edges that separates sources from targets', () => {
    fc.assert(
      fc.property(
        arbitraryQuestion(7, 25).map((question): Question => ({ ...question, direction: 'out' })),
        fc.constantFrom('sources' as const, 'targets' as const),
        (question, nearest) => {
          const graph = buildGraph(question.plain);
          const { cost, edges } = findMinCut(graph, question.sources, question.targets, {
            filter: filterOf(question),
            blocked: NodeSet.of(graph.nodeCount, question.blocked),
            costOf: (_start, kind) => COSTS.get(kind)!,
            nearest,
          });
          expect(cost).toBe(naiveCutCost(question, graph));
          if (cost === Number.POSITIVE_INFINITY) {
            expect(edges).toHaveLength(0);
            return;
          }
          expect(edges.reduce((sum, edge) => sum + COSTS.get(edgeKindOf(graph, edge))!, 0)).toBe(cost);
          const removed = new Set(edges);
          const left = Array.from({ length: graph.edgeCount }, (_, edge) => edge)
            .filter((edge) => !removed.has(edge))
            .map((edge) => [startOf(graph, edge), edgeKindOf(graph, edge), endOf(graph, edge), 0] as const);
          expect(isSeparated({ ...question, plain: { ...question.plain, edges: left } })).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('takes flow back where the first way is in the way of others', () => {
    // The shortest way 0 -> 1 -> 2 -> 3 blocks 0 -> 4 -> 5 -> 2 -> 3 and 0 -> 1 -> 6 -> 7 -> 3, which go together.
    const ways = [
      [0, 1, 2, 3],
      [0, 4, 5, 2],
      [1, 6, 7, 3],
    ];
    const cost = (nodeCount: number) => {
      const edges = ways.flatMap((way) => way.slice(1).map((end, at) => [way[at], 1, end, 0] as const));
      return findMinCut(buildGraph({ nodeCount, edges }), [0], [3]).cost;
    };
    expect(cost(8)).toBe(2);
    // Long ways to 1 and from 2, for which the edge between them has to be free again.
    ways.push([0, 8, 9, 10, 11, 12, 1], [2, 13, 14, 15, 16, 17, 3]);
    expect(cost(18)).toBe(3);
  });

  it('takes the cut that is nearest to the side asked for', () => {
    const graph = buildGraph({
      nodeCount: 4,
      edges: [
        [0, 1, 1, 0],
        [1, 1, 2, 0],
        [2, 1, 3, 0],
      ],
    });
    expect([...findMinCut(graph, [0], [3]).edges]).toEqual([2]);
    expect([...findMinCut(graph, [0], [3], { nearest: 'sources' }).edges]).toEqual([0]);
  });

  it('counts each kind of relation between two nodes, for each has to be removed', () => {
    const graph = buildGraph({
      nodeCount: 2,
      edges: [
        [0, 1, 1, 0],
        [0, 2, 1, 0],
      ],
    });
    expect(findMinCut(graph, [0], [1])).toEqual({ cost: 2, edges: Uint32Array.of(0, 1) });
  });

  it('removes nothing where there is no path', () => {
    const graph = buildGraph({ nodeCount: 2, edges: [[1, 1, 0, 0]] });
    expect(findMinCut(graph, [0], [1])).toEqual({ cost: 0, edges: new Uint32Array(0) });
    expect(findMinCut(graph, [], [1]).cost).toBe(0);
  });

  it('stops when canceled', () => {
    const graph = buildGraph({ nodeCount: 2, edges: [[0, 1, 1, 0]] });
    const cancel = newCancel();
    requestCancel(cancel);
    expect(() => findMinCut(graph, [0], [1], { cancel })).toThrow(CanceledError);
  });
});
